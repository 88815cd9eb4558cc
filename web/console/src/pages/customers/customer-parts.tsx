// The orders, roles and spending of a customer, the export of everything about them, and its erasure.
import { Button, Group, Paper, Progress, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, type Page } from "@guildhall/client";
import { useState } from "react";
import { Link } from "wouter";
import { api, type Customer, type Entitlement, type Membership, type Order } from "../../api";
import { useAction } from "../../lib/action";
import { download } from "../../lib/csv";
import { useDraft } from "../../lib/drafts";
import { count, money } from "../../lib/format";
import { refundable } from "../../lib/order-status";
import { changed, readAgain } from "../../lib/refresh";
import { useSession } from "../../session";
import { t } from "../../text";
import { ErrorNotice, Money, Status, When } from "../../ui/basics";
import { notifySaved } from "../../ui/form";
import { EntitlementList } from "../../ui/entitlement-list";
import { MembershipState } from "../../ui/membership-state";
import { Modal } from "../../ui/modal";
import { RecordName } from "../../ui/record-name";

const ordersMax = 200;

/** The newest orders, and how much the customer has paid in each currency. */
export function CustomerOrders({ customer }: { customer: Customer }) {
  const orders = useQuery({
    queryKey: ["/api/data/order", "customer", customer.id],
    queryFn: () => api.get<Page<Order>>("/api/data/order", { query: { customerId: customer.id, limit: ordersMax } }),
  });
  if (!orders.data) return orders.error ? <ErrorNotice error={orders.error} /> : null;
  const { items, nextCursor } = orders.data;
  const spent = new Map<string, number>();
  for (const order of items)
    if (refundable.includes(order.status))
      spent.set(order.currency, (spent.get(order.currency) ?? 0) + order.totalCents);
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={16}>
          {t("customers.orders")}
        </Title>
        <Link href={`/orders?view=all&customerId=${customer.id}`}>
          {t("customers.allOrders", {
            count: nextCursor ? t("customers.orMore", { count: count(items.length) }) : count(items.length),
          })}
        </Link>
      </Group>
      {items.length === 0 && <Text c="dimmed">{t("customers.noOrders")}</Text>}
      {spent.size > 0 && (
        <Text mb="sm">
          {t(nextCursor ? "customers.spentAtLeast" : "customers.spent", {
            amount: [...spent].map(([currency, cents]) => money(cents, currency)).join(", "),
          })}
        </Text>
      )}
      <Stack gap="xs">
        {items.slice(0, 8).map((order) => (
          <Group key={order.id} justify="space-between" gap="xs">
            <Link href={`/orders/${order.id}`} className="one-line">
              {order.orderNumber}
            </Link>
            <Status value={order.status} kind="orderStatus" />
            <Money cents={order.totalCents} currency={order.currency} />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

export function CustomerRoles({ customer }: { customer: Customer }) {
  return <EntitlementList queryKey={["customer", customer.id]} query={{ customerId: customer.id, limit: 50 }} />;
}

/** The memberships of a customer; nothing if there are none. */
export function CustomerMemberships({ customer }: { customer: Customer }) {
  const { may } = useSession();
  const memberships = useQuery({
    queryKey: ["/api/admin/memberships", "customer", customer.id],
    queryFn: () =>
      api.get<Page<Membership>>("/api/admin/memberships", { query: { customerId: customer.id, limit: 20 } }),
    enabled: may("admin.access"),
  });
  if (!memberships.data || memberships.data.items.length === 0) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("memberships.title")}
      </Title>
      <Stack gap="xs">
        {memberships.data.items.map((membership) => (
          <Group key={membership.id} justify="space-between" gap="xs">
            <Link href={`/memberships/${membership.id}`} className="break-anywhere">
              <RecordName kind="product" id={membership.productId} />
            </Link>
            <Group gap="xs">
              <Text size="xs" c="dimmed" component="div">
                <When at={membership.expiresAt} />
              </Text>
              <MembershipState membership={membership} />
            </Group>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

const exportedMax = 10_000;

async function all<T>(path: string, customer: Customer): Promise<T[]> {
  const found: T[] = [];
  for await (const record of api.each<T>(path, { customerId: customer.id }))
    if (found.push(record) >= exportedMax) break;
  return found;
}

/** Everything that the shop has about a customer, as JSON: for the person who asks for it. */
export async function exportCustomer(customer: Customer, withMemberships: boolean): Promise<void> {
  const [orders, entitlements, memberships] = await Promise.all([
    all<Order>("/api/data/order", customer),
    all<Entitlement>("/api/data/entitlement", customer),
    withMemberships ? all<Membership>("/api/admin/memberships", customer) : Promise.resolve([]),
  ]);
  download(
    `customer-${customer.id}.json`,
    JSON.stringify({ customer, orders, entitlements, memberships }, null, 2),
    "application/json",
  );
}

/** Replaces what names the person, in the customer and in every order, one request each. */
export function EraseDialog({ customer, close }: { customer: Customer; close: () => void }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  useDraft(progress !== null);
  const path = `/api/data/customer/${encodeURIComponent(customer.id)}`;
  const { run, busy, error } = useAction(async () => {
    setProgress({ done: 0, of: 1 });
    try {
      const orders = await all<Order>("/api/data/order", customer);
      const steps = orders.length + customer.addresses.length + 1;
      let done = 0;
      const step = async (work: Promise<unknown>) => {
        await work;
        setProgress({ done: ++done, of: steps });
      };
      for (const order of orders) await step(eraseInOrder(order));
      for (const address of customer.addresses)
        await step(api.delete(`${path}/address/${encodeURIComponent(address.addressId)}`));
      const { etag } = await api.read<Customer>(path);
      const erased = t("customers.erasedName");
      await step(
        api.patch(
          path,
          { chatUsername: erased, chatDisplayName: erased, email: null, phone: null, notes: null, isActive: false },
          { ifMatch: etag },
        ),
      );
      await Promise.all([changed(queries, "customer", "order"), readAgain(queries, ["/api/data/name"])]);
      notifySaved(t("customers.erased"));
      close();
    } finally {
      setProgress(null);
    }
  });
  return (
    <Modal onClose={close} title={t("customers.erase")} closeOnClickOutside={!busy}>
      <Stack>
        <Text>{t("customers.eraseText", { name: customer.chatDisplayName })}</Text>
        <Text size="sm" c="dimmed">
          {t("customers.eraseKeeps")}
        </Text>
        <TextInput
          data-autofocus
          label={t("confirm.type", { text: customer.chatUsername })}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {progress && <Progress value={(progress.done / progress.of) * 100} aria-label={t("bulk.progress")} />}
        {error && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={close}>
            {t("action.cancel")}
          </Button>
          <Button color="red" disabled={typed !== customer.chatUsername} loading={busy} onClick={() => void run()}>
            {t("customers.erase")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

async function eraseInOrder(order: Order): Promise<void> {
  const path = `/api/data/order/${encodeURIComponent(order.id)}`;
  const { etag } = await api.read<Order>(path);
  await api.patch(
    path,
    { customer: { name: t("customers.erasedName"), email: null }, shippingAddress: null, notes: null },
    { ifMatch: etag, idempotencyKey: newIdempotencyKey() },
  );
}
