import type { Catalogue } from "./index";
import { account } from "./de/account";
import { audit } from "./de/audit";
import { chat } from "./de/chat";
import { common } from "./de/common";
import { customers } from "./de/customers";
import { deliverables } from "./de/deliverables";
import { delivery } from "./de/delivery";
import { developers } from "./de/developers";
import { discounts } from "./de/discounts";
import { failures } from "./de/failures";
import { fund } from "./de/fund";
import { home } from "./de/home";
import { memberships } from "./de/memberships";
import { messages } from "./de/messages";
import { orders } from "./de/orders";
import { payments } from "./de/payments";
import { people } from "./de/people";
import { platform } from "./de/platform";
import { products } from "./de/products";
import { reports } from "./de/reports";
import { settings } from "./de/settings";
import { wrong } from "./de/wrong";

export const de: Catalogue = {
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
};
