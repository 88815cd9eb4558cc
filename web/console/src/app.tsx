import { Center, Loader, Paper, Text } from "@mantine/core";
import { lazy, Suspense, type ReactNode } from "react";
import { Route, Router, Switch, useLocation } from "wouter";
import { loadable, loadablePart } from "./lib/loadable";
import { menu, publicRoutes, routes } from "./navigation";
import { rightName } from "./lib/roles";
import { useSettings } from "./lib/settings";
import { SessionProvider, useSession } from "./session";
import { Shell } from "./shell";
import { t } from "./text";
import { Empty, ErrorNotice, GuardedButton, PageHead } from "./ui/basics";
import { ErrorBoundary } from "./ui/error-boundary";
import { Recovery } from "./ui/recovery";

// Loaded only where it is needed.
const signInPage = loadable(() => import("./pages/account/sign-in").then((m) => m.SignInPage));
export const loadSignIn = signInPage.load;
const SignInDialog = loadablePart(() => import("./pages/account/sign-in").then((m) => m.SignInDialog));
const SecondFactorGate = lazy(async () => ({
  default: (await import("./pages/account/second-factor")).SecondFactorGate,
}));

export function App() {
  return (
    <Router base="/console">
      <Recovery />
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            {publicRoutes.map(({ path, Page }) => (
              <Route key={path} path={path}>
                <Page />
              </Route>
            ))}
            <Route>
              <Console />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Router>
  );
}

function Console() {
  return (
    <SessionProvider
      loading={<Loading />}
      signIn={(done, again, later) =>
        again ? (
          <SignInDialog done={done} later={later} />
        ) : (
          <Suspense fallback={<Loading />}>
            <signInPage.Component done={done} />
          </Suspense>
        )
      }
      failed={(error, retry) => (
        <Center mih="100vh" p="md">
          <ErrorNotice error={error} retry={retry} />
        </Center>
      )}
    >
      <WhereAllowed>
        <Shell>
          <ErrorBoundary key={useLocation()[0]}>
            <Suspense fallback={<Loading />}>
              <Switch>
                {routes.map(({ path, Page }) => (
                  <Route key={path} path={path}>
                    <Allowed path={path}>
                      <Page />
                    </Allowed>
                  </Route>
                ))}
                <Route>
                  <PageHead title={t("notFound.title")} />
                  <Text>{t("notFound.text")}</Text>
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </Shell>
      </WhereAllowed>
    </SessionProvider>
  );
}

/** Pages show dates and amounts as the shop has chosen, so that is read first. */
function WithSettings({ children }: { children: ReactNode }) {
  const { may } = useSession();
  const settings = useSettings(may("data.read"));
  return settings.isLoading ? <Loading /> : children;
}

/** A session that has no right at all may be one that has to enrol a second factor first. */
function WhereAllowed({ children }: { children: ReactNode }) {
  const { session } = useSession();
  if (session.permissionKeys.length > 0) return <WithSettings>{children}</WithSettings>;
  return (
    <Suspense fallback={<Loading />}>
      <SecondFactorGate>{children}</SecondFactorGate>
    </Suspense>
  );
}

/** A page that somebody may not use says which right is missing, also when its address was typed or sent. */
function Allowed({ path, children }: { path: string; children: ReactNode }) {
  const { may } = useSession();
  const entry = menu
    .flatMap((group) => group.entries)
    .find((each) => each.path !== "/" && (path === each.path || path.startsWith(`${each.path}/`)));
  if (entry === undefined || may(entry.permission)) return children;
  return (
    <>
      <PageHead title={t(entry.title)} />
      <Paper>
        <Empty
          title={t("permission.refused")}
          text={`${t("permission.page", { name: rightName(entry.permission) })} ${t("permission.ask")}`}
          action={
            <GuardedButton allowed variant="default" href={may("data.read") ? "/orders" : "/account"}>
              {t(may("data.read") ? "permission.toOrders" : "permission.toAccount")}
            </GuardedButton>
          }
        />
      </Paper>
    </>
  );
}

function Loading() {
  return (
    <Center mih="50vh">
      <Loader size="sm" aria-label={t("loading")} />
    </Center>
  );
}
