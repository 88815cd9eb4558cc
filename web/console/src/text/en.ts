// The English texts, by area. The other languages have the same keys.
import { account } from "./en/account";
import { audit } from "./en/audit";
import { chat } from "./en/chat";
import { common } from "./en/common";
import { customers } from "./en/customers";
import { deliverables } from "./en/deliverables";
import { delivery } from "./en/delivery";
import { developers } from "./en/developers";
import { discounts } from "./en/discounts";
import { failures } from "./en/failures";
import { fund } from "./en/fund";
import { home } from "./en/home";
import { memberships } from "./en/memberships";
import { messages } from "./en/messages";
import { orders } from "./en/orders";
import { payments } from "./en/payments";
import { people } from "./en/people";
import { platform } from "./en/platform";
import { products } from "./en/products";
import { reports } from "./en/reports";
import { settings } from "./en/settings";
import { wrong } from "./en/wrong";

export const en = {
  ...common,
  ...account,
  ...home,
  ...orders,
  ...products,
  ...discounts,
  ...customers,
  ...memberships,
  ...payments,
  ...fund,
  ...failures,
  ...delivery,
  ...deliverables,
  ...developers,
  ...people,
  ...chat,
  ...messages,
  ...audit,
  ...reports,
  ...settings,
  ...platform,
  ...wrong,
} as const;
