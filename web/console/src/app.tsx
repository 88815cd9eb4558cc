import { Center, Loader, Text } from "@mantine/core";
import { Suspense } from "react";
import { Route, Router, Switch } from "wouter";
import { publicRoutes, routes } from "./navigation";
import { SignInDialog, SignInPage } from "./pages/sign-in";
import { SessionProvider } from "./session";
import { Shell } from "./shell";
import { t } from "./text";
import { ErrorNotice, PageHead } from "./ui/basics";
import { ErrorBoundary } from "./ui/error-boundary";

export function App() {
  return (
    <Router base="/console">
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            {publicRoutes.map(([path, Page]) => (
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
      signIn={(done, again) => (again ? <SignInDialog done={done} /> : <SignInPage done={done} />)}
      failed={(error, retry) => (
        <Center mih="100vh" p="md">
          <ErrorNotice error={error} retry={retry} />
        </Center>
      )}
    >
      <Shell>
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Switch>
              {routes.map(([path, Page]) => (
                <Route key={path} path={path}>
                  <Page />
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
    </SessionProvider>
  );
}

function Loading() {
  return (
    <Center mih="50vh">
      <Loader size="sm" aria-label={t("loading")} />
    </Center>
  );
}
