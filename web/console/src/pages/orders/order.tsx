import { Alert, Anchor, Grid, Group, Paper, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link, useParams } from "wouter";
import { api, type Order, type OrderStatus, type PriceTrace } from "../../api";
import { useAction } from "../../lib/action";
import { count, money } from "../../lib/format";
import { cancellable, hasParcel, nextStatus, refundable } from "../../lib/order-status";
import { orderChanged } from "../../lib/refresh";
import { useSession } from "../../session";
import { t, textOr, type TextKey } from "../../text";
import { Facts, GuardedButton, PageHead, Status, Unavailable, When } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";
import { attempt, notifySaved } from "../../ui/form";
import { Metadata } from "../../ui/metadata";
import { EntitlementList } from "../../ui/entitlement-list";
import { RecordName } from "../../ui/record-name";
import { EditDialog } from "./order-edit";
import { LinkDialog } from "./order-link";
import { RefundDialog } from "./order-refund";
import { Payments, Parcels, Refunds, History, Notes } from "./order-parts";

export function OrderPage() {
  const id = useParams<{ id: string }>().id;
  const path = `/api/data/order/${encodeURIComponent(id)}`;
  const order = useQuery({ queryKey: [path], queryFn: () => api.read<Order>(path) });
  if (!order.data) return <Unavailable query={order} back={{ href: "/orders", label: t("orders.title") }} />;
  return <OrderView order={order.data.record} etag={order.data.etag} path={path} />;
}

function OrderView({ order, etag, path }: { order: Order; etag: string; path: string }) {
  const { may } = useSession();
  return (
    <>
      <PageHead
        back={{ href: "/orders", label: t("orders.title") }}
        title={t("order.title", { number: order.orderNumber })}
        status={<Status value={order.status} kind="orderStatus" />}
        actions={<OrderActions order={order} etag={etag} path={path} />}
      />
      <Grid gutter="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <Items order={order} path={path} />
            <Refunds order={order} path={path} />
            <History order={order} path={path} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Paper>
              <Title order={2} fz={16} mb="sm">
                {t("order.facts")}
              </Title>
              <Facts
                facts={[
                  [
                    t("orders.customer"),
                    order.customerId ? (
                      <Link href={`/customers/${order.customerId}`}>{order.customer.name}</Link>
                    ) : (
                      order.customer.name
                    ),
                  ],
                  ...(order.giftTo
                    ? [
                        [
                          t("order.giftTo"),
                          <RecordName kind="member" id={order.giftTo} otherwise={order.giftTo} />,
                        ] as [string, ReactNode],
                      ]
                    : []),
                  ...(order.customer.email ? [[t("customer.email"), order.customer.email] as [string, string]] : []),
                  ...(hasParcel(order)
                    ? [
                        [t("orders.parcel"), <Status value={order.shippingStatus} kind="shippingStatus" />] as [
                          string,
                          ReactNode,
                        ],
                      ]
                    : []),
                  ...(order.shippingAddress
                    ? [
                        [
                          t("order.address"),
                          Object.values(order.shippingAddress)
                            .filter((part) => typeof part === "string" && part !== "")
                            .join(", "),
                        ] as [string, string],
                      ]
                    : []),
                  [t("orders.created"), <When at={order.createdAt} />],
                  [t("order.paidAt"), order.paidAt ? <When at={order.paidAt} /> : t("order.notPaid")],
                ]}
              />
            </Paper>
            <Payments order={order} />
            <Parcels order={order} />
            <EntitlementList queryKey={["order", order.id, order.updatedAt]} query={{ orderId: order.id }} />
            <Notes key={JSON.stringify([order.notes, order.trackingNumber])} order={order} etag={etag} path={path} />
            <Metadata path={path} metadata={order.metadata} allowed={may("data.write")} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Items({ order, path }: { order: Order; path: string }) {
  const trace = useQuery({
    queryKey: [path, "pricing", order.updatedAt],
    queryFn: () => api.get<PriceTrace>(`${path}/pricing`),
  });
  const [explained, setExplained] = useState(false);
  // Quantity and unit price stand below the name where there is no room beside it.
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const row = (name: string, cents: number, strong = false) => (
    <Table.Tr>
      <Table.Td colSpan={phone ? 1 : 3} ta="right" fw={strong ? 600 : 400}>
        {name}
      </Table.Td>
      <Table.Td className="numeric" fw={strong ? 600 : 400}>
        {money(cents, order.currency)}
      </Table.Td>
    </Table.Tr>
  );
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("order.items")}
      </Title>
      <Table verticalSpacing="xs" horizontalSpacing={4} aria-label={t("order.items")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("order.item")}</Table.Th>
            {!phone && <Table.Th className="numeric">{t("order.quantity")}</Table.Th>}
            {!phone && <Table.Th className="numeric">{t("order.unitPrice")}</Table.Th>}
            <Table.Th className="numeric">{t("order.amount")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {order.items.map((item, index) => {
            const listPrice = item.priceOverridden && typeof item.listPriceCents === "number" && (
              <Text size="xs" c="dimmed">
                {t("order.listPrice", { price: money(item.listPriceCents, order.currency) })}
              </Text>
            );
            return (
              <Table.Tr key={index}>
                <Table.Td>
                  {item.name}
                  <Text size="xs" c="dimmed">
                    {item.sku}
                  </Text>
                  {phone && (
                    <Text size="sm">
                      {count(item.quantity)} × {money(item.unitPriceCents, order.currency)}
                    </Text>
                  )}
                  {phone && listPrice}
                </Table.Td>
                {!phone && <Table.Td className="numeric">{count(item.quantity)}</Table.Td>}
                {!phone && (
                  <Table.Td className="numeric">
                    {money(item.unitPriceCents, order.currency)}
                    {listPrice}
                  </Table.Td>
                )}
                <Table.Td className="numeric">{money(item.quantity * item.unitPriceCents, order.currency)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
        <Table.Tfoot>
          {row(t("order.subtotal"), order.subtotalCents)}
          {order.discountAmountCents > 0 &&
            row(
              order.discountCode ? t("order.discountCode", { code: order.discountCode }) : t("order.discount"),
              -order.discountAmountCents,
            )}
          {order.taxAmountCents > 0 && row(t("order.tax"), order.taxAmountCents)}
          {row(t("orders.total"), order.totalCents, true)}
        </Table.Tfoot>
      </Table>
      {trace.data?.overrides.map((override, index) => (
        <Alert key={index} color="yellow" my="xs" p="xs">
          {t("order.override", {
            field: textOr(`overridden.${override.field}`, override.field),
            amount: money(override.cents, order.currency),
            computed: money(override.computedCents, order.currency),
          })}{" "}
          <When at={override.at} />
        </Alert>
      ))}
      <Anchor component="button" size="sm" onClick={() => setExplained(!explained)} aria-expanded={explained}>
        {t("order.explain")}
      </Anchor>
      {explained && trace.data && (
        <Stack gap={4} mt="xs">
          {trace.data.steps.map((step, index) => (
            <Group key={index} justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm">{step.text}</Text>
              <Text size="sm" className="numeric">
                {money(step.amountCents, order.currency)}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function OrderActions({ order, etag, path }: { order: Order; etag: string; path: string }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState<"next" | "cancel" | "refund" | "link" | "edit" | null>(null);
  const refresh = () => orderChanged(queries);
  const [tracking, setTracking] = useState(order.trackingNumber ?? "");
  const move = async (status: OrderStatus) => {
    await api.patch(
      path,
      { status, ...(status === "SHIPPED" && tracking.trim() !== "" && { trackingNumber: tracking.trim() }) },
      { ifMatch: etag },
    );
    await refresh();
    notifySaved();
  };
  const next = nextStatus[order.status];
  // It sends no message and moves no money, so it needs no confirmation.
  const preparing = useAction(() => attempt(() => move("FULFILLING")));
  return (
    <>
      <GuardedButton allowed={may("data.write")} variant="default" data-edit onClick={() => setOpen("edit")}>
        {t("order.edit")}
      </GuardedButton>
      {order.status === "PENDING_PAYMENT" && (
        <GuardedButton allowed={may("admin.access")} variant="default" onClick={() => setOpen("link")}>
          {t("order.link")}
        </GuardedButton>
      )}
      {cancellable.includes(order.status) && (
        <GuardedButton allowed={may("data.write")} variant="default" onClick={() => setOpen("cancel")}>
          {t("order.cancel")}
        </GuardedButton>
      )}
      {refundable.includes(order.status) && (
        <GuardedButton allowed={may("admin.access")} variant="default" onClick={() => setOpen("refund")}>
          {t("order.refund")}
        </GuardedButton>
      )}
      {next && (
        <div className="thumb">
          <GuardedButton
            allowed={may("data.write")}
            loading={preparing.busy}
            onClick={() => (next === "FULFILLING" ? void preparing.run() : setOpen("next"))}
          >
            {t(`order.to.${next}` as TextKey)}
          </GuardedButton>
        </div>
      )}
      {open === "next" && next && next !== "FULFILLING" && (
        <ConfirmDialog
          title={t(`order.to.${next}` as TextKey)}
          text={t(`order.toText.${next}` as TextKey, { number: order.orderNumber })}
          button={t(`order.to.${next}` as TextKey)}
          run={() => move(next)}
          close={() => setOpen(null)}
        >
          {next === "SHIPPED" && (
            <TextInput
              label={t("order.tracking")}
              description={t("order.trackingText")}
              value={tracking}
              onChange={(event) => setTracking(event.currentTarget.value)}
            />
          )}
        </ConfirmDialog>
      )}
      {open === "edit" && <EditDialog order={order} etag={etag} path={path} close={() => setOpen(null)} />}
      {open === "cancel" && (
        <ConfirmDialog
          danger
          typed={order.orderNumber}
          title={t("order.cancel")}
          text={t("order.cancelText", { number: order.orderNumber })}
          button={t("order.cancel")}
          run={() => move("CANCELLED")}
          close={() => setOpen(null)}
        />
      )}
      {open === "refund" && <RefundDialog order={order} path={path} done={refresh} close={() => setOpen(null)} />}
      {open === "link" && <LinkDialog order={order} close={() => setOpen(null)} />}
    </>
  );
}
