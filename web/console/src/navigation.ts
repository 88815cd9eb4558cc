// The pages of the console: one list that the menu, the command palette and the routes are made of.
import {
  IconBell, IconBox, IconBuildingBank, IconCash, IconChartBar, IconCreditCard, IconDiscount2, IconHistory, IconHome, IconKey, IconMail,
  IconMessages, IconReceipt, IconSettings, IconTruck, IconUsers, IconUsersGroup, IconWebhook, IconBadge, IconServer,
} from "@tabler/icons-react";
import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import type { TextKey } from "./text";

type LazyPage = LazyExoticComponent<ComponentType>;
const page = (load: () => Promise<ComponentType>): LazyPage => lazy(async () => ({ default: await load() }));

export interface MenuEntry {
  path: string;
  title: TextKey;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** A person needs this key to use the page. */
  permission: string;
  /** Pressed after `g`. */
  shortcut?: string;
}

export interface MenuGroup {
  title: TextKey | null;
  entries: MenuEntry[];
}

export const menu: MenuGroup[] = [
  { title: null, entries: [{ path: "/", title: "home.title", icon: IconHome, permission: "admin.access", shortcut: "h" }] },
  {
    title: "menu.sell",
    entries: [
      { path: "/orders", title: "orders.title", icon: IconReceipt, permission: "data.read", shortcut: "o" },
      { path: "/products", title: "products.title", icon: IconBox, permission: "data.read", shortcut: "p" },
      { path: "/discounts", title: "discounts.title", icon: IconDiscount2, permission: "data.read", shortcut: "d" },
      { path: "/customers", title: "customers.title", icon: IconUsers, permission: "data.read", shortcut: "c" },
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
      { path: "/entitlements", title: "entitlements.title", icon: IconBadge, permission: "data.read", shortcut: "e" },
    ],
  },
  {
    title: "menu.deliver",
    entries: [{ path: "/shipments", title: "shipments.title", icon: IconTruck, permission: "data.read", shortcut: "s" }],
  },
  {
    title: "menu.developers",
    entries: [
      { path: "/webhooks", title: "webhooks.title", icon: IconWebhook, permission: "admin.access", shortcut: "w" },
      { path: "/outbox", title: "events.page", icon: IconMail, permission: "admin.access" },
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

/** The bar at the bottom of a phone; who may not use the chat page gets the customers instead. */
export function bottomBar(may: (permission: string) => boolean): string[] {
  return ["/", "/orders", "/products", may("admin.access") ? "/chat" : "/customers"];
}

/** Pages that belong to nobody in particular. */
export const ownPages: MenuEntry[] = [{ path: "/account", title: "account.title", icon: IconKey, permission: "" }];
export const attentionIcon = IconBell;

/** Where links lead that are sent to people. These pages need no session. */
export const publicRoutes: [string, LazyPage][] = [
  ["/invitation", page(() => import("./pages/invitation").then((m) => m.InvitationPage))],
  ["/setup", page(() => import("./pages/setup").then((m) => m.SetupPage))],
  ["/password-reset", page(() => import("./pages/password-reset").then((m) => m.PasswordResetPage))],
];

export const routes: [string, LazyPage][] = [
  ["/", page(() => import("./pages/home").then((m) => m.HomePage))],
  ["/welcome", page(() => import("./pages/welcome").then((m) => m.WelcomePage))],
  ["/platform", page(() => import("./pages/platform").then((m) => m.PlatformPage))],
  ["/orders", page(() => import("./pages/orders").then((m) => m.OrdersPage))],
  ["/orders/new", page(() => import("./pages/new-order").then((m) => m.NewOrderPage))],
  ["/orders/:id", page(() => import("./pages/order").then((m) => m.OrderPage))],
  ["/products", page(() => import("./pages/products").then((m) => m.ProductsPage))],
  ["/products/:id", page(() => import("./pages/product").then((m) => m.ProductPage))],
  ["/discounts", page(() => import("./pages/discounts").then((m) => m.DiscountsPage))],
  ["/discounts/:id", page(() => import("./pages/discount").then((m) => m.DiscountPage))],
  ["/customers", page(() => import("./pages/customers").then((m) => m.CustomersPage))],
  ["/customers/:id", page(() => import("./pages/customer").then((m) => m.CustomerPage))],
  ["/payments", page(() => import("./pages/payments").then((m) => m.PaymentsPage))],
  ["/payment-methods", page(() => import("./pages/payment-methods").then((m) => m.PaymentMethodsPage))],
  ["/fund", page(() => import("./pages/fund").then((m) => m.FundPage))],
  ["/reports", page(() => import("./pages/reports").then((m) => m.ReportsPage))],
  ["/shipments", page(() => import("./pages/shipments").then((m) => m.ShipmentsPage))],
  ["/entitlements", page(() => import("./pages/entitlements").then((m) => m.EntitlementsPage))],
  ["/webhooks", page(() => import("./pages/webhooks").then((m) => m.WebhooksPage))],
  ["/webhooks/:id", page(() => import("./pages/webhook").then((m) => m.WebhookPage))],
  ["/outbox", page(() => import("./pages/outbox").then((m) => m.OutboxPage))],
  ["/people", page(() => import("./pages/people").then((m) => m.PeoplePage))],
  ["/people/:id", page(() => import("./pages/person").then((m) => m.PersonPage))],
  ["/chat", page(() => import("./pages/chat").then((m) => m.ChatPage))],
  ["/audit", page(() => import("./pages/audit").then((m) => m.AuditPage))],
  ["/settings", page(() => import("./pages/settings").then((m) => m.SettingsPage))],
  ["/account", page(() => import("./pages/account").then((m) => m.AccountPage))],
];
