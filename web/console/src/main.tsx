import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./style.css";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { routeOf } from "./navigation";
import { makeQueryClient, sessionQuery } from "./session";
import { t } from "./text";
import { makeTheme, textColors } from "./theme";

// The server's content security policy admits style elements only with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
setNonce(nonce);  // for the library that locks scrolling behind dialogs
const queries = makeQueryClient();
// Both are needed before anything can be shown, and neither has to wait for the other.
void queries.prefetchQuery(sessionQuery);
void routeOf(location.pathname.replace(/^\/console/, "") || "/").route?.load().catch(() => {});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider
      theme={makeTheme(t("action.close"))}
      defaultColorScheme="auto"
      cssVariablesResolver={textColors}
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
