// The state of the sandbox, as `GET /sandbox/state` describes it, and the calls that change it.
import { useSyncExternalStore } from "react";

export type FaultKind = "error" | "rateLimited" | "timeout" | "rubbish" | "dropped" | "held" | "answer";

export interface Party {
  name: string;
  title: string;
  calls: number;
  fault: { kind: FaultKind; callsLeft: number | null; until: string | null } | null;
}

export type PaymentAction = "see" | "pay" | "payPart" | "overpay" | "payLate" | "expire" | "refund" | "dispute" | "completeRefund" | "failRefund";

export interface Payment {
  id: string;
  party: string;
  orderNumber: string;
  amountCents: number;
  currency: string;
  paidCents: number;
  refundedCents: number;
  status: string;
  /** Paid after it had expired. */
  late: boolean;
  createdAt: string;
  expiresAt: string | null;
  actions: PaymentAction[];
}

export interface Parcel {
  id: string;
  orderNumber: string;
  carrier: string;
  trackingNumber: string;
  status: string;
  actions: ("next" | "fail")[];
}

export interface Subscription {
  id: string;
  tenant: string;
  plan: string;
  status: string;
  periodEnd: string;
  actions: ("renew" | "fail" | "cancel")[];
}

/** A mail that the server has sent, without its text. */
export interface Mail {
  id: string;
  at: string;
  from: string;
  to: string[];
  subject: string;
  hasHtml: boolean;
}

export interface Embed {
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  author?: { name: string };
  fields?: { name: string; value: string; inline?: boolean }[];
  image?: { url: string };
  thumbnail?: { url: string };
  footer?: { text: string };
  timestamp?: string;
}

export interface SelectOption {
  label: string;
  value: string;
  description?: string;
  default?: boolean;
}

/** A component in the platform's JSON; `type` says which of the members it has. */
export interface Component {
  type: number;
  custom_id?: string;
  style?: number;
  label?: string;
  description?: string;
  url?: string;
  disabled?: boolean;
  placeholder?: string;
  options?: SelectOption[];
  min_values?: number;
  max_values?: number;
  value?: string;
  required?: boolean;
  min_length?: number;
  max_length?: number;
  components?: Component[];
  component?: Component;
}

export interface Message {
  id: string;
  author: string;
  createdAt: string;
  ephemeralFor: string | null;
  content: string;
  embeds: Embed[];
  components: Component[];
  /** The bot has announced an answer. */
  pending: boolean;
  replyTo: { member: string; command: string } | null;
}

export interface CommandOption {
  name: string;
  description: string;
  type: number;
  required?: boolean;
  autocomplete?: boolean;
  choices?: { name: string; value: string | number }[];
}

export interface Command {
  name: string;
  description: string;
  options?: CommandOption[];
}

export interface Role {
  id: string;
  name: string;
  color: number;
  position: number;
}

export interface Member {
  id: string;
  username: string;
  displayName: string;
  roles: string[];
  directMessages: Message[];
}

export interface Channel {
  id: string;
  name: string;
  messages: Message[];
}

export interface Guild {
  id: string;
  name: string;
  roles: Role[];
  channels: Channel[];
  members: Member[];
  commands: Command[];
}

export interface Delivery {
  order: "normal" | "reversed";
  delaySeconds: number;
}

export interface State {
  server: string;
  reachable: boolean;
  delivery: Delivery;
  parties: Party[];
  /** Refunds are pending until somebody completes them or lets them fail. */
  refundsWait: boolean;
  payments: Payment[];
  parcels: Parcel[];
  subscriptions: Subscription[];
  mails: Mail[];
  guild: Guild;
}

export interface LoggedCall {
  id: number;
  at: string;
  /** `in`: the server called the party; `out`: the party called the server. */
  direction: "in" | "out";
  party: string;
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number;
  responseBody: string;
  milliseconds: number;
  signature: { header: string; valid: boolean } | null;
}

export interface Modal {
  customId: string;
  title: string;
  components: Component[];
}

/** The sentence of an error reply, or one about the status. */
async function problem(reply: Response): Promise<Error> {
  const body = (await reply.json().catch(() => null)) as { error?: string } | null;
  return new Error(body?.error ?? `The sandbox answered with ${reply.status}.`);
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const reply = await fetch(`/sandbox${path}`, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!reply.ok) throw await problem(reply);
  const text = await reply.text();
  return (text === "" ? null : JSON.parse(text)) as T;
}

/** A value that is read again and again while somebody looks at it. */
class Polled<T> {
  private value: T;
  private listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | null = null;

  constructor(initial: T, private readonly next: (before: T) => Promise<T>) {
    this.value = initial;
  }

  /** Reads now; a reading that began before the call does not count. */
  refresh = async (): Promise<void> => {
    await this.running;
    await this.read();
  };

  use(): T {
    return useSyncExternalStore(this.subscribe, () => this.value);
  }

  private subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) void this.read();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) clearTimeout(this.timer);
    };
  };

  private read(): Promise<void> {
    this.running ??= this.readOnce().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async readOnce() {
    clearTimeout(this.timer);
    const value = await this.next(this.value);
    if (value !== this.value) {
      this.value = value;
      for (const listener of this.listeners) listener();
    }
    if (this.listeners.size > 0) this.timer = setTimeout(() => void this.read(), 1000);
  }
}

interface Reading {
  state: State | null;
  etag: string;
  /** Why the last reading failed. */
  error: string | null;
}

async function readState(before: Reading): Promise<Reading> {
  try {
    const reply = await fetch("/sandbox/state", { headers: before.etag ? { "if-none-match": before.etag } : {}, cache: "no-store" });
    if (reply.status === 304) return before.error === null ? before : { ...before, error: null };
    if (!reply.ok) throw await problem(reply);
    return { state: (await reply.json()) as State, etag: reply.headers.get("etag") ?? "", error: null };
  } catch (thrown) {
    const error = thrown instanceof TypeError ? "The sandbox does not answer. Is it still running?" : (thrown as Error).message;
    return error === before.error ? before : { ...before, error };
  }
}

export const sandbox = new Polled<Reading>({ state: null, etag: "", error: null }, readState);

interface CallPage {
  items: LoggedCall[];
  last: number;
}

const callsMax = 500;

/** The newest calls, newest first. */
export const calls = new Polled<CallPage>({ items: [], last: 0 }, async (before) => {
  try {
    const page = await call<CallPage>("GET", `/calls?after=${before.last}`);
    if (page.last < before.last) return { items: [], last: 0 }; // the sandbox was started again
    if (page.items.length === 0) return before;
    const added = [...page.items].sort((left, right) => right.id - left.id);
    return { items: [...added, ...before.items].slice(0, callsMax), last: page.last };
  } catch {
    return before; // the page shows that the sandbox does not answer
  }
});

/** The state, which is known on every page below the shell. */
export function useSandbox(): State {
  return sandbox.use().state!;
}
