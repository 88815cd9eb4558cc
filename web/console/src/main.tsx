import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./style.css";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadSignIn } from "./app";
import { brandingQuery } from "./lib/branding";
import { settingsQuery } from "./lib/settings";
import { publicRoutes, routeOf, type FirstRead } from "./navigation";
import { makeQueryClient, sessionQuery } from "./session";
import { t } from "./text";
import { makeTheme, textColors } from "./theme";
import { ToastRoom } from "./ui/toast-room";

// The server's content security policy admits style elements only with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
setNonce(nonce); // for the library that locks scrolling behind dialogs
const queries = makeQueryClient();
const path = location.pathname.replace(/^\/console/, "") || "/";
const visitorsPage = publicRoutes.find((route) => route.path === path);

/** Starts everything that the first page needs at once. Resolves when all of it is there. */
async function prepare(): Promise<void> {
  if (visitorsPage) return void (await visitorsPage.load());
  const { route } = routeOf(path);
  // Sent first: browsers send only six requests at a time.
  const session = queries.fetchQuery(sessionQuery).catch(loadSignIn);
  // Somebody who has not signed in yet may read nothing; it is read again afterwards.
  const first: FirstRead[] = [
    settingsQuery,
    brandingQuery,
    ...(localStorage.getItem("guildhall.no-home") === null ? (route?.first ?? []) : []),
  ];
  const read = first.map((query) => queries.fetchQuery(query).catch(() => queries.removeQueries(query)));
  await Promise.all([session, ...read, ...(route ? [route.load()] : [])]);
}

/** After this time the page shows that it is loading. Until then nothing is shown, so that it is rendered only once. */
const patienceMs = 400;

function render(): void {
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <MantineProvider
        theme={makeTheme(t("action.close"))}
        defaultColorScheme="auto"
        cssVariablesResolver={textColors}
        getStyleNonce={() => nonce}
      >
        <Notifications position="bottom-right" limit={3} />
        <ToastRoom />
        <QueryClientProvider client={queries}>
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

// Paper is white.
let scheme: string | undefined;
addEventListener("beforeprint", () => {
  scheme = document.documentElement.dataset["mantineColorScheme"];
  document.documentElement.dataset["mantineColorScheme"] = "light";
});
addEventListener("afterprint", () => {
  if (scheme) document.documentElement.dataset["mantineColorScheme"] = scheme;
});

// The pages import this file's chunk, so it must not wait for them while it is evaluated.
void Promise.race([prepare().catch(() => {}), new Promise((resolve) => setTimeout(resolve, patienceMs))]).then(render);
