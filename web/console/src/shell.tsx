// What surrounds every page: menu, shop switcher, search, the bar at the bottom on phones.
import { ActionIcon, AppShell, Burger, Button, Group, Text, useMantineColorScheme } from "@mantine/core";
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import {
  IconChevronsLeft,
  IconChevronsRight,
  IconDots,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { api, type OwnTenants } from "./api";
import { LiveChanges } from "./live";
import { useBranding } from "./lib/branding";
import { count } from "./lib/format";
import { useIsShown } from "./lib/idle";
import { loadablePart } from "./lib/loadable";
import { openSummary } from "./lib/open-orders";
import { usePrefetch } from "./lib/prefetch";
import { rightName } from "./lib/roles";
import { bottomBar, menu, type MenuEntry } from "./navigation";
import { useSession } from "./session";
import { t } from "./text";
import { StaleBar } from "./ui/stale-bar";
import { SessionEnd } from "./ui/session-end";
import { useShortcuts } from "./ui/shortcuts";
import { useTip } from "./ui/tip";

// What is not needed to see the first page is loaded after it, or with its first use.
const AccountMenu = loadablePart(() => import("./ui/header-menus").then((m) => m.AccountMenu));
const ShopSelect = loadablePart(() => import("./ui/header-menus").then((m) => m.ShopSelect));
const MenuDrawer = loadablePart(() => import("./ui/drawer").then((m) => m.Drawer));
const Palette = loadablePart(() => import("./ui/palette").then((m) => m.Palette));
const ShortcutHelp = loadablePart(() => import("./ui/shortcut-help").then((m) => m.ShortcutHelp));

export function Shell({ children }: { children: ReactNode }) {
  const wide = useMediaQuery("(min-width: 64em)", true, { getInitialValueInEffect: false });
  const [collapsed, setCollapsed] = useLocalStorage({ key: "guildhall.menu-collapsed", defaultValue: false });
  const [drawer, drawerActions] = useDisclosure(false);
  const drawerUsed = useRef(false);
  drawerUsed.current ||= drawer;
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const shown = useIsShown();
  const account = (
    <ActionIcon component="span" variant="default" size="lg">
      <IconUser size={18} />
    </ActionIcon>
  );
  useHotkeys([["mod+K", () => setPalette(true)]], []);
  useShortcuts({ help: () => setHelp(true) });
  usePrefetch();
  useFocusOnPage();

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: collapsed ? 64 : 232, breakpoint: "64em", collapsed: { mobile: true } }}
      padding={{ base: "md", md: "lg" }}
    >
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            {!wide && <Burger opened={drawer} onClick={drawerActions.toggle} size="sm" aria-label={t("menu.open")} />}
            <ShopSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LiveChanges />
            <Button
              variant="default"
              leftSection={<IconSearch size={16} />}
              onClick={() => setPalette(true)}
              visibleFrom="sm"
              c="dimmed"
              fw={400}
            >
              {t("search.open")}{" "}
              <Text span size="xs" ml="sm">
                Ctrl K
              </Text>
            </Button>
            <ActionIcon
              variant="default"
              size="lg"
              hiddenFrom="sm"
              onClick={() => setPalette(true)}
              aria-label={t("search.open")}
            >
              <IconSearch size={18} />
            </ActionIcon>
            <ColorSchemeButton />
            {shown ? <AccountMenu meanwhile={account} /> : account}
          </Group>
        </Group>
      </AppShell.Header>
      {wide && (
        <AppShell.Navbar p="xs">
          <AppShell.Section grow style={{ overflowY: "auto" }}>
            <MenuEntries collapsed={collapsed} />
          </AppShell.Section>
          <AppShell.Section>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setCollapsed(!collapsed)}
              aria-label={t(collapsed ? "menu.expand" : "menu.collapse")}
            >
              {collapsed ? <IconChevronsRight size={18} /> : <IconChevronsLeft size={18} />}
            </ActionIcon>
          </AppShell.Section>
        </AppShell.Navbar>
      )}
      {drawerUsed.current && (
        <MenuDrawer opened={drawer && !wide} onClose={drawerActions.close} title={t("menu.title")} size="xs">
          <MenuEntries collapsed={false} onChoose={drawerActions.close} />
        </MenuDrawer>
      )}
      <AppShell.Main id="content" tabIndex={-1} className={wide ? undefined : "with-bottom-bar"}>
        <StaleBar />
        {shown && <SessionEnd />}
        {children}
      </AppShell.Main>
      {!wide && <BottomBar openMenu={drawerActions.open} />}
      {palette && <Palette close={() => setPalette(false)} />}
      {help && <ShortcutHelp close={() => setHelp(false)} />}
    </AppShell>
  );
}

/**
 * A page that was opened from a row or by a key takes the focus, which would otherwise be nowhere, and begins at its top. Going back
 * leaves the position to the browser.
 */
function useFocusOnPage(): void {
  const [location] = useLocation();
  const first = useRef(true);
  const back = useRef(false);
  useEffect(() => {
    const note = () => void (back.current = true);
    addEventListener("popstate", note);
    return () => removeEventListener("popstate", note);
  }, []);
  useEffect(() => {
    if (!first.current && !back.current) scrollTo(0, 0);
    back.current = false;
    if (!first.current && document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
    first.current = false;
  }, [location]);
}

interface Waiting {
  count: number;
  label: string;
}

/** How much work waits on a page, for those who may see it. The page itself comes first. */
function useCounts(): Record<string, Waiting | undefined> {
  const { may } = useSession();
  const enabled = useIsShown() && may("admin.access");
  const open = useQuery({ ...openSummary, enabled });
  const flagged = useQuery({
    queryKey: ["/api/admin/payments", "flagged"],
    queryFn: () =>
      api.get<{ total: number }>("/api/admin/payments", { query: { attention: true, limit: 1, total: true } }),
    enabled,
  });
  const entry = (key: "menu.countOrders" | "menu.countPayments", number: number | undefined) =>
    number ? { count: number, label: t(key, { count: count(number) }) } : undefined;
  return {
    "/orders": entry("menu.countOrders", open.data?.totalOpen),
    "/payments": entry("menu.countPayments", flagged.data?.total),
  };
}

/** The platform's pages are shown only to those who run it: nobody in a shop can get that right from a colleague. */
function useEntries(): { title: string | null; entries: MenuEntry[] }[] {
  const { may } = useSession();
  return menu
    .filter((group) => group.entries.some((entry) => entry.permission !== "PlatformAdmin" || may("PlatformAdmin")))
    .map((group) => ({ title: group.title && t(group.title), entries: group.entries }));
}

function isCurrent(location: string, path: string): boolean {
  return path === "/" ? location === "/" : location === path || location.startsWith(`${path}/`);
}

function MenuEntries({ collapsed, onChoose }: { collapsed: boolean; onChoose?: () => void }) {
  const counts = useCounts();
  return (
    <nav aria-label={t("menu.title")}>
      {useEntries().map((group) => (
        <div key={group.title ?? "home"}>
          {group.title && !collapsed && <div className="nav-heading">{group.title}</div>}
          {group.entries.map((entry) => (
            <MenuLink
              key={entry.path}
              entry={entry}
              collapsed={collapsed}
              waiting={counts[entry.path]}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </nav>
  );
}

function MenuLink({
  entry,
  collapsed,
  waiting,
  onChoose,
}: {
  entry: MenuEntry;
  collapsed: boolean;
  waiting: Waiting | undefined;
  onChoose: (() => void) | undefined;
}) {
  const { may } = useSession();
  const [location] = useLocation();
  const label = t(entry.title);
  const allowed = may(entry.permission);
  const current = isCurrent(location, entry.path);
  const Element = entry.outside ? "a" : Link;
  const tip = useTip(
    !allowed ? t("permission.page", { name: rightName(entry.permission) }) : collapsed ? label : null,
    "right",
  );
  return (
    <>
      <Element
        {...tip.props}
        href={entry.path}
        className="nav-link"
        aria-label={[label, waiting?.label].filter(Boolean).join(", ")}
        aria-current={current ? "page" : undefined}
        aria-disabled={!allowed || undefined}
        data-disabled={!allowed || undefined}
        onClick={allowed ? onChoose : (event) => event.preventDefault()}
      >
        <entry.icon size={18} stroke={1.7} />
        {!collapsed && <span>{label}</span>}
        {!collapsed && waiting && (
          <span className="nav-count" aria-hidden>
            {count(waiting.count)}
          </span>
        )}
      </Element>
      {tip.tooltip}
    </>
  );
}

function BottomBar({ openMenu }: { openMenu: () => void }) {
  const { may } = useSession();
  const [location] = useLocation();
  const paths = bottomBar(may);
  const entries = menu.flatMap((group) => group.entries).filter((entry) => paths.includes(entry.path));
  return (
    <nav className="bottom-bar" aria-label={t("menu.main")}>
      {entries.map((entry) => (
        <Link key={entry.path} href={entry.path} aria-current={isCurrent(location, entry.path) ? "page" : undefined}>
          <entry.icon size={22} stroke={1.7} />
          {t(entry.title)}
        </Link>
      ))}
      <button type="button" onClick={openMenu}>
        <IconDots size={22} />
        {t("menu.more")}
      </button>
    </nav>
  );
}

function ShopSwitcher() {
  const { session, may, switchTenant } = useSession();
  const tenants = useQuery({
    queryKey: ["/auth/tenants"],
    queryFn: () => api.get<OwnTenants>("/auth/tenants"),
    enabled: useIsShown(),
    staleTime: 60_000,
  });
  const shops = tenants.data?.items ?? [];
  const own = shops.find((shop) => shop.tenantId === session.user.tenantId);
  const branding = useBranding(may("data.read"));
  const name = branding.data?.record.shopName ?? own?.name ?? session.user.tenantId;
  if (shops.length < 2) {
    return (
      <Group gap="xs" wrap="nowrap">
        <ShopTile name={name} />
        <Text fw={600} truncate maw={{ base: 140, sm: 280 }}>
          {name}
        </Text>
      </Group>
    );
  }
  return (
    <ShopSelect
      meanwhile={<ShopTile name={name} />}
      tile={<ShopTile name={name} />}
      shops={shops}
      current={session.user.tenantId}
      choose={switchTenant}
    />
  );
}

function ShopTile({ name }: { name: string }) {
  const branding = useBranding(false).data?.record;
  if (branding?.logo)
    return (
      <img
        src={branding.logo.thumbnailUrl}
        alt=""
        width={26}
        height={26}
        style={{ borderRadius: 6, objectFit: "cover", flex: "none" }}
      />
    );
  return (
    <Text
      span
      ta="center"
      fw={600}
      c={branding?.textColor ?? "white"}
      bg={branding?.accentColor ?? "indigo.7"}
      w={26}
      h={26}
      lh="26px"
      style={{ borderRadius: 6, flex: "none" }}
      aria-hidden
    >
      {(name[0] ?? "G").toUpperCase()}
    </Text>
  );
}

function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const systemDark = useMediaQuery("(prefers-color-scheme: dark)", false, { getInitialValueInEffect: false });
  const isDark = colorScheme === "dark" || (colorScheme === "auto" && systemDark);
  return (
    <ActionIcon
      variant="default"
      size="lg"
      onClick={() => setColorScheme(isDark ? "light" : "dark")}
      aria-label={t(isDark ? "scheme.light" : "scheme.dark")}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}
