// The payments, parcels, refunds, history and notes of an order.
import { Anchor, Group, Paper, Stack, Text, Textarea, TextInput, Timeline as TimelineView, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPrinter } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useState } from "react";
import { Link } from "wouter";
import { api, type Order, type Payment, type RefundList, type Shipment, type Timeline } from "../../api";
import { dateTime } from "../../lib/format";
import { useVersions } from "../../lib/versions";
import { useSession } from "../../session";
import { momentText, momentTitle, withoutRepetitions } from "../../lib/timeline";
import { t, type TextKey } from "../../text";
import { GuardedButton, Money, Status } from "../../ui/basics";
import { ConflictDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { StatusMark } from "../../ui/marks";
import { ActorName } from "../../ui/record-name";
import { ReturnRest } from "../../ui/return-rest";
import { ParcelDialog } from "../delivery/shipments";

export function Payments({ order }: { order: Order }) {
  const { may } = useSession();
  const payments = useQuery({
    queryKey: ["/api/admin/payments", order.id, order.updatedAt],
    queryFn: () =>
      api.get<Page<Payment>>("/api/admin/payments", { query: { orderId: order.id } }).then((page) => page.items),
    enabled: may("admin.access"),
  });
  if (!payments.data || payments.data.length === 0) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("payments.title")}
      </Title>
      <Stack gap="xs">
        {payments.data.map((payment) => (
          <Stack key={payment.id} gap="xs">
            <Group justify="space-between">
              <Text>{t(`provider.${payment.provider}` as TextKey)}</Text>
              {payment.attention ? (
                <StatusMark tone="bad">{t(`flag.${payment.attention}` as TextKey)}</StatusMark>
              ) : (
                <Status value={payment.status} kind="paymentStatus" />
              )}
              <Money cents={payment.amountCents} currency={payment.currency || order.currency} />
            </Group>
            <ReturnRest payment={payment} />
          </Stack>
        ))}
      </Stack>
    </Paper>
  );
}

export function Parcels({ order }: { order: Order }) {
  const { may } = useSession();
  const [open, setOpen] = useState<{ id: string | null } | null>(null);
  const parcels = useQuery({
    queryKey: ["/api/data/shipment", "order", order.id, order.updatedAt],
    queryFn: () =>
      api.get<Page<Shipment>>("/api/data/shipment", { query: { orderId: order.id } }).then((page) => page.items),
  });
  if (!parcels.data) return null;
  return (
    <Paper>
      <Group justify="space-between" mb={parcels.data.length > 0 ? "sm" : 0}>
        <Title order={2} fz={16}>
          {t("order.parcels")}
        </Title>
        <Group gap="xs">
          {order.shippingAddress && (
            <GuardedButton
              allowed
              size="xs"
              variant="default"
              leftSection={<IconPrinter size={14} />}
              href={`/orders/print?ids=${order.id}`}
            >
              {t("print.slip")}
            </GuardedButton>
          )}
          <GuardedButton allowed={may("data.write")} size="xs" variant="default" onClick={() => setOpen({ id: null })}>
            {t("shipments.add")}
          </GuardedButton>
        </Group>
      </Group>
      <Stack gap="xs">
        {parcels.data.map((parcel) => (
          <Group key={parcel.id} justify="space-between" wrap="nowrap">
            <Anchor
              component="button"
              ta="left"
              className="break-anywhere"
              onClick={() => setOpen({ id: parcel.id })}
              disabled={!may("data.write")}
            >
              {[parcel.carrier, parcel.trackingNumber].filter(Boolean).join(" · ") || t("shipments.noNumber")}
            </Anchor>
            <Status value={parcel.status} kind="shippingStatus" />
          </Group>
        ))}
      </Stack>
      {open && <ParcelDialog orderId={order.id} id={open.id} close={() => setOpen(null)} />}
    </Paper>
  );
}

export function Refunds({ order, path }: { order: Order; path: string }) {
  const refunds = useQuery({
    queryKey: [path, "refunds", order.updatedAt],
    queryFn: () => api.get<RefundList>(`${path}/refunds`),
  });
  if (!refunds.data || refunds.data.items.length === 0) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("refunds.title")}
      </Title>
      <Stack gap="xs">
        {refunds.data.items.map((refund) => (
          <Group key={refund.id} justify="space-between">
            <Text>{refund.reason ?? t("refunds.noReason")}</Text>
            <Text size="sm" c="dimmed">
              {t(refund.throughProcessor ? "refunds.processor" : "refunds.byHand")}
            </Text>
            <Status value={refund.status} kind="refundStatus" />
            <Money cents={refund.amountCents} currency={refund.currency} />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

export function History({ order, path }: { order: Order; path: string }) {
  const { may } = useSession();
  const timeline = useQuery({
    queryKey: [path, "timeline", order.updatedAt],
    queryFn: () => api.get<Timeline>(`${path}/timeline`),
  });
  if (!timeline.data) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="md">
        {t("order.history")}
      </Title>
      <TimelineView bulletSize={12} lineWidth={2}>
        {withoutRepetitions(timeline.data.items).map((entry, index) => (
          <TimelineView.Item key={index} title={momentTitle(entry)}>
            <Text size="sm" className="break-anywhere">
              {momentText(entry, order.currency)}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              <time dateTime={entry.at}>{dateTime(entry.at)}</time> ·{" "}
              <ActorName kind={entry.actorKind} id={entry.actorId} />
            </Text>
          </TimelineView.Item>
        ))}
      </TimelineView>
      {may("admin.access") && (
        <Text size="sm" mt="md">
          <Link href={`/audit?subject=order&subjectId=${order.id}`}>{t("order.audit")}</Link>
        </Text>
      )}
    </Paper>
  );
}

export function Notes({ order, etag, path }: { order: Order; etag: string; path: string }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { notes: order.notes ?? "", trackingNumber: order.trackingNumber ?? "" } });
  const versions = useVersions<Order>(path, async (changes, version) => {
    const saved = await api.patch<Order>(path, changes, { ifMatch: version });
    queries.setQueryData([path], saved);
    notifySaved();
  });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("order.notesTitle")}
      </Title>
      <FormPage
        form={form}
        disabled={!may("data.write")}
        save={(values) =>
          versions.save({ notes: values.notes || null, trackingNumber: values.trackingNumber || null }, etag, {
            base: order,
          })
        }
      >
        <TextInput
          label={t("order.tracking")}
          disabled={!may("data.write")}
          {...form.getInputProps("trackingNumber")}
        />
        <Textarea
          label={t("order.notes")}
          autosize
          minRows={2}
          disabled={!may("data.write")}
          {...form.getInputProps("notes")}
        />
      </FormPage>
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{ notes: t("order.notes"), trackingNumber: t("order.tracking") }}
        />
      )}
    </Paper>
  );
}
