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
import { settingsQuery } from "./lib/settings";
import { publicRoutes, routeOf } from "./navigation";
import { makeQueryClient, sessionQuery } from "./session";
import { t } from "./text";
import { makeTheme, textColors } from "./theme";

// The server's content security policy admits style elements only with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
setNonce(nonce);  // for the library that locks scrolling behind dialogs
const queries = makeQueryClient();
const path = location.pathname.replace(/^\/console/, "") || "/";
// All are needed before anything can be shown, and none has to wait for another. Pages for visitors need none of them.
if (!publicRoutes.some((route) => route.path === path)) {
  void queries.prefetchQuery(sessionQuery);
  // Somebody who has not signed in yet may not read the settings; they are read again afterwards.
  queries.fetchQuery(settingsQuery).catch(() => queries.removeQueries(settingsQuery));
  void routeOf(path).route?.load().catch(() => {});
}

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
