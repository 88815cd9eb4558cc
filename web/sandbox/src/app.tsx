// What surrounds every page: the server that the sandbox serves, the menu, and a note when the sandbox is gone.
import { ActionIcon, Alert, Button, Center, Loader, NavLink, Stack, Text, Title, useMantineColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconAlertTriangle, IconArrowsLeftRight, IconBolt, IconCreditCard, IconExternalLink, IconMail, IconMessages, IconMoon, IconPackage, IconRepeat, IconSun } from "@tabler/icons-react";
import { useEffect, type ComponentType } from "react";
import { Link, Route, Router, Switch, useLocation } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { ChatPage } from "./chat/chat-page";
import { BillingPage } from "./pages/billing";
import { CallsPage } from "./pages/calls";
import { FaultsPage } from "./pages/faults";
import { MailsPage } from "./pages/mails";
import { ParcelsPage } from "./pages/parcels";
import { PaymentsPage } from "./pages/payments";
import { ServerStatus } from "./server-status";
import { sandbox, useSandbox, type State } from "./state";

interface Entry {
  path: string;
  title: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** How many of them wait for somebody. */
  waiting?: (state: State) => number;
}

const entries: Entry[] = [
  { path: "/chat", title: "Chat", icon: IconMessages },
  { path: "/payments", title: "Payments", icon: IconCreditCard, waiting: (state) => state.payments.filter((payment) => payment.actions.includes("pay")).length },
  { path: "/parcels", title: "Parcels", icon: IconPackage, waiting: (state) => state.parcels.filter((parcel) => parcel.actions.includes("next")).length },
  { path: "/mails", title: "Mails", icon: IconMail },
  { path: "/billing", title: "Billing", icon: IconRepeat },
  { path: "/calls", title: "Calls", icon: IconArrowsLeftRight },
  { path: "/faults", title: "Faults", icon: IconBolt, waiting: (state) => state.parties.filter((party) => party.fault !== null).length },
];

export function App() {
  const { state, error } = sandbox.use();
  if (state === null) {
    return (
      <Center mih="100dvh" p="md" component="main">
        {error === null ? <Loader aria-label="Loading" /> : <NotRunning text={error} />}
      </Center>
    );
  }
  return (
    <Router hook={useHashLocation}>
      <Shell error={error} />
    </Router>
  );
}

function NotRunning({ text }: { text: string }) {
  return (
    <Stack align="center" gap="xs" ta="center">
      <Title order={1} fz={20}>The sandbox is not responding</Title>
      <Text c="dimmed" maw={420}>{text}</Text>
      <Button onClick={() => void sandbox.refresh()}>Try again</Button>
    </Stack>
  );
}

function Shell({ error }: { error: string | null }) {
  const [location] = useLocation();
  const title = entries.find((entry) => location.startsWith(entry.path))?.title ?? "Chat";
  useEffect(() => {
    document.title = `${title} · Guildhall sandbox`;
  }, [title]);
  return (
    <div className="shell">
      <a className="skip-link" href="#content" onClick={skipToContent}>Skip to content</a>
      <header className="shell-header">
        <span className="brand">
          <img src="/favicon.svg" width={26} height={26} alt="" />
          <span>Sandbox</span>
        </span>
        <ServerStatus />
        <ConsoleLink />
        <ColorSchemeButton />
      </header>
      <Menu />
      <main className="shell-main" id="content" tabIndex={-1}>
        {error !== null && (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert" m="sm">{error}</Alert>
        )}
        <Switch>
          <Route path="/payments" component={PaymentsPage} />
          <Route path="/parcels" component={ParcelsPage} />
          <Route path="/mails/:id?">{({ id }) => <MailsPage selected={id ?? null} />}</Route>
          <Route path="/billing" component={BillingPage} />
          <Route path="/calls/:id?">{({ id }) => <CallsPage selected={id === undefined ? null : Number(id)} />}</Route>
          <Route path="/faults" component={FaultsPage} />
          <Route path="/chat/:place?">{({ place }) => <ChatPage place={place ?? null} />}</Route>
          <Route><ChatPage place={null} /></Route>
        </Switch>
      </main>
    </div>
  );
}

/** The address after `#` names the page, so the browser cannot jump to the content by itself. */
function skipToContent(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function Menu() {
  const state = useSandbox();
  const [location] = useLocation();
  const wide = useMediaQuery("(min-width: 64em)", true, { getInitialValueInEffect: false });
  return (
    <nav className={wide ? "shell-menu" : "bottom-bar shell-bar"} aria-label="Pages">
      {entries.map((entry) => {
        const current = location.startsWith(entry.path) || (location === "/" && entry.path === "/chat");
        const waiting = entry.waiting?.(state) ?? 0;
        const badge = waiting > 0 && <span className="count" aria-label={`${waiting} waiting`} role="img">{waiting}</span>;
        if (!wide) {
          return (
            <Link key={entry.path} href={entry.path} aria-current={current ? "page" : undefined}>
              <span className="bar-icon"><entry.icon size={22} stroke={1.7} />{badge}</span>
              {entry.title}
            </Link>
          );
        }
        return (
          <NavLink
            key={entry.path}
            component={Link}
            href={entry.path}
            label={entry.title}
            leftSection={<entry.icon size={18} stroke={1.7} />}
            rightSection={badge}
            active={current}
            aria-current={current ? "page" : undefined}
            className="menu-link"
          />
        );
      })}
    </nav>
  );
}

function ConsoleLink() {
  const { server } = useSandbox();
  return (
    <Button component="a" href={`${server}/console/`} target="_blank" rel="noreferrer" variant="default" px="sm" className="console-link" aria-label="Open the console">
      <span className="console-word">Console</span> <IconExternalLink size={16} />
    </Button>
  );
}

function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const systemDark = useMediaQuery("(prefers-color-scheme: dark)", false, { getInitialValueInEffect: false });
  const isDark = colorScheme === "dark" || (colorScheme === "auto" && systemDark);
  return (
    <ActionIcon variant="default" size={36} onClick={() => setColorScheme(isDark ? "light" : "dark")} aria-label={isDark ? "Switch to light mode" : "Switch to dark mode"}>
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}
