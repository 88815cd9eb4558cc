// The pages of the console: one list that the menu, the command palette and the routes are made of.
import {
  IconBook,
  IconBox,
  IconBuildingBank,
  IconCash,
  IconChartBar,
  IconCreditCard,
  IconDiscount2,
  IconHistory,
  IconHome,
  IconKey,
  IconMail,
  IconSend,
  IconMessages,
  IconReceipt,
  IconSettings,
  IconTruck,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  IconBadge,
  IconCrown,
  IconServer,
} from "@tabler/icons-react";
import type { FetchQueryOptions } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { loadable } from "./lib/loadable";
import { firstOfHome } from "./lib/open-orders";
import { HomePage } from "./pages/home/home";
import type { TextKey } from "./text";

/** A read of any kind of record. */
export type FirstRead = FetchQueryOptions<any, any, any, any>;

export interface PageRoute {
  path: string;
  Page: ComponentType;
  load: () => Promise<ComponentType>;
  /** Reads that are started together with the page's script, so that the page finds their answers. */
  first?: FirstRead[];
  /** The path of the record in the API, without its id, for a page that shows one record. */
  record?: string;
}

function page(
  path: string,
  read: () => Promise<ComponentType>,
  more: Pick<PageRoute, "record" | "first"> = {},
): PageRoute {
  const { Component: Page, load } = loadable(read);
  return { path, Page, load, ...more };
}

export interface MenuEntry {
  path: string;
  title: TextKey;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** A person needs this key to use the page. */
  permission: string;
  /** Pressed after `g`. */
  shortcut?: string;
  /** A page of the server that is not part of the console. */
  outside?: boolean;
}

export interface MenuGroup {
  title: TextKey | null;
  entries: MenuEntry[];
}

export const menu: MenuGroup[] = [
  {
    title: null,
    entries: [{ path: "/", title: "home.title", icon: IconHome, permission: "admin.access", shortcut: "h" }],
  },
  {
    title: "menu.sell",
    entries: [
      { path: "/orders", title: "orders.title", icon: IconReceipt, permission: "data.read", shortcut: "o" },
      { path: "/products", title: "products.title", icon: IconBox, permission: "data.read", shortcut: "p" },
      { path: "/discounts", title: "discounts.title", icon: IconDiscount2, permission: "data.read", shortcut: "d" },
      { path: "/customers", title: "customers.title", icon: IconUsers, permission: "data.read", shortcut: "c" },
      { path: "/memberships", title: "memberships.title", icon: IconCrown, permission: "admin.access", shortcut: "i" },
    ],
  },
  {
    title: "menu.money",
    entries: [
      { path: "/payments", title: "payments.title", icon: IconCash, permission: "admin.access", shortcut: "m" },
      { path: "/payment-methods", title: "methods.title", icon: IconCreditCard, permission: "admin.access" },
      { path: "/fund", title: "fund.title", icon: IconBuildingBank, permission: "admin.access", shortcut: "f" },
      { path: "/reports", title: "reports.title", icon: IconChartBar, permission: "admin.access", shortcut: "r" },
    ],
  },
  {
    title: "menu.community",
    entries: [
      { path: "/chat", title: "chat.title", icon: IconMessages, permission: "admin.access", shortcut: "b" },
      { path: "/messages", title: "messages.title", icon: IconSend, permission: "admin.access" },
      { path: "/entitlements", title: "entitlements.title", icon: IconBadge, permission: "data.read", shortcut: "e" },
    ],
  },
  {
    title: "menu.deliver",
    entries: [
      { path: "/shipments", title: "shipments.title", icon: IconTruck, permission: "data.read", shortcut: "s" },
    ],
  },
  {
    title: "menu.developers",
    entries: [
      { path: "/webhooks", title: "webhooks.title", icon: IconWebhook, permission: "admin.access", shortcut: "w" },
      { path: "/tokens", title: "tokens.title", icon: IconKey, permission: "admin.access" },
      { path: "/outbox", title: "events.page", icon: IconMail, permission: "admin.access" },
      { path: "/docs", title: "signIn.docs", icon: IconBook, permission: "data.read", outside: true },
    ],
  },
  {
    title: "menu.shop",
    entries: [
      { path: "/people", title: "people.title", icon: IconUsersGroup, permission: "admin.access", shortcut: "u" },
      { path: "/audit", title: "audit.title", icon: IconHistory, permission: "admin.access", shortcut: "a" },
      { path: "/settings", title: "settings.title", icon: IconSettings, permission: "admin.access" },
    ],
  },
  {
    title: "menu.platform",
    entries: [{ path: "/platform", title: "platform.title", icon: IconServer, permission: "PlatformAdmin" }],
  },
];

/** The bar at the bottom of a phone. Who does not manage the shop begins with the orders. */
export function bottomBar(may: (permission: string) => boolean): string[] {
  return may("admin.access")
    ? ["/", "/orders", "/products", "/chat"]
    : ["/orders", "/products", "/customers", "/shipments"];
}

/** Pages that belong to nobody in particular. */
export const ownPages: MenuEntry[] = [{ path: "/account", title: "account.title", icon: IconKey, permission: "" }];

/** Where links lead that are sent to people. These pages need no session. */
export const publicRoutes: PageRoute[] = [
  page("/invitation", () => import("./pages/account/invitation").then((m) => m.InvitationPage)),
  page("/setup", () => import("./pages/home/setup").then((m) => m.SetupPage)),
  page("/password-reset", () => import("./pages/account/password-reset").then((m) => m.PasswordResetPage)),
];

export const routes: PageRoute[] = [
  page("/", async () => HomePage, { first: firstOfHome }), // a part of the first load, since most visits begin there
  page("/welcome", () => import("./pages/home/welcome").then((m) => m.WelcomePage)),
  page("/platform", () => import("./pages/platform/platform").then((m) => m.PlatformPage)),
  page("/orders", () => import("./pages/orders/orders").then((m) => m.OrdersPage)),
  page("/orders/new", () => import("./pages/orders/new-order").then((m) => m.NewOrderPage)),
  page("/orders/print", () => import("./pages/orders/order-print").then((m) => m.OrderPrintPage)),
  page("/orders/:id", () => import("./pages/orders/order").then((m) => m.OrderPage), { record: "/api/data/order" }),
  page("/products", () => import("./pages/catalog/products").then((m) => m.ProductsPage)),
  page("/products/:id", () => import("./pages/catalog/product").then((m) => m.ProductPage), {
    record: "/api/data/product",
  }),
  page("/products/:id/keys/:deliverableId", () =>
    import("./pages/catalog/delivery-keys").then((m) => m.DeliveryKeysPage),
  ),
  page("/discounts", () => import("./pages/discounts/discounts").then((m) => m.DiscountsPage)),
  page("/discounts/:id", () => import("./pages/discounts/discount").then((m) => m.DiscountPage), {
    record: "/api/data/discount",
  }),
  page("/customers", () => import("./pages/customers/customers").then((m) => m.CustomersPage)),
  page("/customers/:id", () => import("./pages/customers/customer").then((m) => m.CustomerPage), {
    record: "/api/data/customer",
  }),
  page("/memberships", () => import("./pages/memberships/memberships").then((m) => m.MembershipsPage)),
  page("/memberships/:id", () => import("./pages/memberships/membership").then((m) => m.MembershipPage), {
    record: "/api/admin/memberships",
  }),
  page("/payments", () => import("./pages/payments/payments").then((m) => m.PaymentsPage)),
  page("/payment-methods", () => import("./pages/payments/payment-methods").then((m) => m.PaymentMethodsPage)),
  page("/fund", () => import("./pages/fund/fund").then((m) => m.FundPage)),
  page("/reports", () => import("./pages/reports/reports").then((m) => m.ReportsPage)),
  page("/shipments", () => import("./pages/delivery/shipments").then((m) => m.ShipmentsPage)),
  page("/entitlements", () => import("./pages/delivery/entitlements").then((m) => m.EntitlementsPage)),
  page("/webhooks", () => import("./pages/developers/webhooks").then((m) => m.WebhooksPage)),
  page("/webhooks/:id", () => import("./pages/developers/webhook").then((m) => m.WebhookPage)),
  page("/tokens", () => import("./pages/developers/tokens").then((m) => m.TokensPage)),
  page("/outbox", () => import("./pages/developers/outbox").then((m) => m.OutboxPage)),
  page("/people", () => import("./pages/people/people").then((m) => m.PeoplePage)),
  page("/people/:id", () => import("./pages/people/person").then((m) => m.PersonPage), { record: "/api/data/user" }),
  page("/chat", () => import("./pages/chat/chat").then((m) => m.ChatPage)),
  page("/messages", () => import("./pages/messages/messages").then((m) => m.MessagesPage)),
  page("/audit", () => import("./pages/settings/audit").then((m) => m.AuditPage)),
  page("/settings", () => import("./pages/settings/settings").then((m) => m.SettingsPage)),
  page("/account", () => import("./pages/account/account").then((m) => m.AccountPage)),
];

/** The page at a path, and the id in it. */
export function routeOf(path: string): { route: PageRoute | undefined; id: string } {
  const [, section = "", id = ""] = path.split("/");
  return {
    route: routes.find((route) => route.path === path) ?? routes.find((route) => route.path === `/${section}/:id`),
    id,
  };
}
