// The one client of this page, and the records that pages show. Types come from the server's own description.
import {
  ApiError,
  GuildhallClient,
  NetworkError,
  type components,
  type QueryValue,
  type RequestOptions,
} from "@guildhall/client";

let onUnauthenticated = () => {};

/** Whom to inform when a request is answered with 401. */
export function whenUnauthenticated(inform: () => void): void {
  onUnauthenticated = inform;
}

/** Takes the answer to a read that start.ts has sent already. */
const fetchOrTake: typeof fetch = (url, init) => {
  const answer = init?.method === "GET" ? globalThis.firstAnswers?.get(String(url)) : undefined;
  globalThis.firstAnswers?.delete(String(url));
  return answer ?? fetch(url, init);
};

const client = new GuildhallClient({
  onUnauthenticated: () => onUnauthenticated(),
  fetch: fetchOrTake,
  maxWaitMs: 10_000,
});

const recordOf = async <T>(method: string, path: string, options: RequestOptions) =>
  (await client.send<T>(method, path, options)).record;

/** Calls with paths that pages put together, so that each call names the type of its answer. */
export const api = {
  signIn: client.signIn.bind(client),
  changes: client.changes.bind(client),
  get: <T>(path: string, options: RequestOptions = {}) => recordOf<T>("GET", path, options),
  read: <T>(path: string) => client.send<T>("GET", path),
  post: <T>(path: string, body: unknown = {}, options: RequestOptions = {}) =>
    recordOf<T>("POST", path, { ...options, body }),
  put: <T>(path: string, body: unknown, options: RequestOptions = {}) => recordOf<T>("PUT", path, { ...options, body }),
  patch: <T>(path: string, body: unknown, options: RequestOptions = {}) =>
    client.send<T>("PATCH", path, { ...options, body }),
  delete: (path: string, options: RequestOptions = {}) => recordOf<void>("DELETE", path, options),
  each: <T>(path: string, query: Record<string, QueryValue> = {}) =>
    client.eachOf<T>(path, { query: { limit: 200, ...query } }),
};
export { ApiError, NetworkError };

type Schemas = components["schemas"];
export type Session = Schemas["SessionObjectOfSessionUser"];
export type SessionReply = Schemas["SessionReplyOfSessionUser"];
export type Order = Schemas["Order"];
export type OrderPage = Schemas["ListPageOfOrder"];
export type OrderItem = Schemas["OrderItem"];
export type OrderStatus = Order["status"];
export type OpenOrder = Schemas["OpenOrder"];
export type OpenOrdersPage = Schemas["OpenOrdersPage"];
export type OpenSummary = Schemas["OpenSummary"];
export type PriceTrace = Schemas["PriceTrace"];
export type Timeline = Schemas["PageOfTimelineEntry"];
export type Refund = Schemas["Refund"];
export type RefundList = Schemas["RefundList"];
export type Payment = Schemas["PaymentView"];
export type PaymentMethod = Schemas["ShownMethod"];
export type PaymentMethods = Schemas["ShownMethods"];
export type InvoiceLink = Schemas["MadeInvoiceLink"];
export type Product = Schemas["Product"];
export type Discount = Schemas["Discount"];
export type Customer = Schemas["Customer"];
export type Membership = Schemas["Membership"];
export type MembershipPeriod = Schemas["MembershipPeriod"];
export type MembershipCode = Schemas["MembershipCode"];
export type MadeMembershipCodes = Schemas["MadeMembershipCodes"];
export type MembershipsReport = Schemas["MembershipsReport"];
export type MessageSettings = Schemas["ShownMessages"];
export type MessageText = Schemas["MessageText"];
export type MessageKind = MessageText["kind"];
export type MessagePreview = Schemas["MessagePreview"];
export type LoggedMessage = Schemas["LoggedMessage"];
export type Shipment = Schemas["Shipment"];
export type Entitlement = Schemas["Entitlement"];
export type Deliverable = Schemas["ShownDeliverable"];
export type DeliverablePage = Schemas["DeliverablePage"];
export type DeliverableContent = Schemas["DeliverableContent"];
export type AddedKeys = Schemas["AddedKeys"];
export type DeliveryKey = Schemas["DeliveryKey"];
export type ActivationPage = Schemas["ActivationPage"];
export type DeliveredItem = Schemas["DeliveredItem"];
export type DeliveredPart = Schemas["DeliveredPart"];
export type User = Schemas["User"];
export type UserGrants = Schemas["UserGrants"];
export type GrantHolder = Schemas["GrantHolder"];
export type Tenant = Schemas["TenantView"];
export type OwnTenant = Schemas["OwnTenant"];
export type OwnTenants = Schemas["OwnTenants"];
export type OwnSession = Schemas["OwnSession"];
export type OwnSessions = Schemas["OwnSessions"];
export type ShownInvitation = Schemas["ShownInvitation"];
export type SecondFactorState = Schemas["SecondFactorState"];
export type Enrolment = Schemas["Enrolment"];
export type RecoveryCodes = Schemas["RecoveryCodes"];
export type Invitation = Schemas["Invitation"];
export type CreatedInvitation = Schemas["CreatedInvitation"];
export type CreatedPasswordReset = Schemas["CreatedPasswordReset"];
export type PermissionList = Schemas["PermissionList"];
export type SalesReport = Schemas["SalesReport"];
export type ProductsReport = Schemas["ProductsReport"];
export type ProductRow = Schemas["ProductRow"];
export type CustomersReport = Schemas["CustomersReport"];
export type BestCustomer = Schemas["BestCustomer"];
export type DiscountsReport = Schemas["DiscountsReport"];
export type DiscountRow = Schemas["DiscountRow"];
export type PaymentMethodsReport = Schemas["PaymentMethodsReport"];
export type PaymentMethodRow = Schemas["PaymentMethodRow"];
export type TaxReport = Schemas["TaxReport"];
export type StockRow = Schemas["StockRow"];
export type FundBalance = Schemas["FundBalance"];
export type FundReport = Schemas["FundReport"];
export type FundConfig = Schemas["FundConfig"];
export type LedgerEntry = Schemas["LedgerEntry"];
export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type WebhookEndpointWithSecret = Schemas["WebhookEndpointWithSecret"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type OutboxMessage = Schemas["StoredMessage"];
export type ChainStep = Schemas["ChainStep"];
export type AuditRecord = Schemas["AuditRecord"];
export type Readiness = Schemas["Readiness"];
export type ChatSetup = Schemas["ChatSetup"];
export type WebhookEvent = Schemas["WebhookEvent"];
export type Branding = Schemas["ShownBranding"];
export type SetupState = Schemas["SetupState"];
export type ApiToken = Schemas["ApiToken"];
export type CreatedApiToken = Schemas["CreatedApiToken"];
export type ShopSettings = Schemas["ShownSettings"];
export type StockReport = Schemas["StockReport"];
export type PublicFund = Schemas["PublicFund"];
export type Billing = Schemas["BillingView"];
export type DoctorReport = Schemas["DoctorReport"];
export type Finding = Schemas["Finding"];
export type PlatformNode = Schemas["ShownNode"];
export type NodeList = Schemas["NodeList"];
export type RequestedBackup = Schemas["RequestedBackup"];
export type BackupList = Schemas["BackupList"];
export type StoredBackup = Schemas["StoredBackup"];
export type CustomRole = Schemas["CustomRole"];
export type RoleList = Schemas["RoleList"];
export type EventNames = Schemas["EventNames"];
export type NamedRecord = Schemas["NamedRecord"];
export type NamedRecords = Schemas["NamedRecords"];
export type Guilds = Schemas["Guilds"];
export type MadeBindingCode = Schemas["MadeBindingCode"];
export type Info = Schemas["Info"];

/** The roles of the shop's chat server. */
export type ChatRoles = Schemas["GuildRoles"];
/** What an order would cost. */
export type Quote = Schemas["Quote"];
