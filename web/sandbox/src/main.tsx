import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "../../console/src/style.css";
import "./style.css";
import "./chat/chat.css";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeTheme, textColors } from "../../console/src/theme";
import { App } from "./app";

// The content security policy admits style elements only with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
setNonce(nonce); // for the library that locks scrolling behind dialogs

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider theme={makeTheme("Close")} defaultColorScheme="auto" cssVariablesResolver={textColors} getStyleNonce={() => nonce}>
      <Notifications position="top-center" limit={3} />
      <App />
    </MantineProvider>
  </StrictMode>,
);
