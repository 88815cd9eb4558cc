import { Grid, Group, Paper, Progress, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { Page } from "@guildhall/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link, useParams } from "wouter";
import { api, type Membership, type MembershipPeriod, type Product } from "../../api";
import { count, dateTime, relativeTime } from "../../lib/format";
import { lengthText, stateOf } from "../../lib/membership";
import { useName } from "../../lib/names";
import { useRecord } from "../../lib/record";
import { useSession } from "../../session";
import { t } from "../../text";
import { Facts, GuardedButton, Money, PageHead, Unavailable, When } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";
import { EntitlementList } from "../../ui/entitlement-list";
import { notifySaved } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { StatusMark } from "../../ui/marks";
import { Metadata } from "../../ui/metadata";
import { MembershipState } from "../../ui/membership-state";
import { RecordLink, RecordName } from "../../ui/record-name";

const base = "/api/admin/memberships";
type Asked = "pause" | "resume" | "cancel" | "plan";

export function MembershipPage() {
  const id = useParams<{ id: string }>().id;
  const { current, path } = useRecord<Membership>(base, id, "/memberships");
  if (!current.data)
    return <Unavailable query={current} back={{ href: "/memberships", label: t("memberships.title") }} />;
  return <MembershipRecord membership={current.data.record} etag={current.data.etag} path={path} />;
}

/** What is known of a membership, each fact with its name. */
function factsOf(membership: Membership, name: string): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    [t("memberships.member"), membership.customerId ? <RecordLink kind="customer" id={membership.customerId} /> : name],
    [t("memberships.plan"), <RecordLink kind="product" id={membership.productId} />],
    [t("memberships.started"), <When at={membership.startedAt} />],
    [t("memberships.until"), <When at={membership.expiresAt} />],
    [t("memberships.graceEnds"), membership.status === "ACTIVE" && <When at={membership.graceEndsAt} />],
    [t("memberships.pausedAt"), membership.pausedAt && <When at={membership.pausedAt} />],
    [t("memberships.cancelledAt"), membership.cancelledAt && <When at={membership.cancelledAt} />],
    [
      t("memberships.renewalOrder"),
      membership.renewalOrderId && <RecordLink kind="order" id={membership.renewalOrderId} />,
    ],
  ];
  return facts.filter(([, value]) => Boolean(value));
}

function MembershipRecord({ membership, etag, path }: { membership: Membership; etag: string; path: string }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { may } = useSession();
  const customer = useName("customer", membership.customerId);
  const name = customer ?? membership.chatUserId ?? membership.userId;
  const state = stateOf(membership);
  const allowed = may("admin.access");
  const runs = state === "ACTIVE" || state === "TRIAL";
  const button = (action: Asked, label: string, reason: string | null) => (
    <GuardedButton
      key={action}
      allowed={allowed && reason === null}
      {...(reason !== null && { reason })}
      variant="default"
      onClick={() => setAsked(action)}
    >
      {label}
    </GuardedButton>
  );
  return (
    <>
      <PageHead
        back={{ href: "/memberships", label: t("memberships.title") }}
        title={name}
        status={<MembershipState membership={membership} />}
        actions={
          <>
            {button(
              "plan",
              t("memberships.changePlan"),
              state === "TRIAL"
                ? t("memberships.trialHasNoValue")
                : runs || state === "PAUSED"
                  ? null
                  : t("memberships.notActive"),
            )}
            {state === "PAUSED"
              ? button("resume", t("memberships.resume"), null)
              : button("pause", t("memberships.pause"), runs ? null : t("memberships.notPaused"))}
            {button(
              "cancel",
              t("memberships.cancel"),
              state === "ENDED"
                ? t("memberships.notActive")
                : membership.cancelledAt
                  ? t("memberships.alreadyCancelled")
                  : null,
            )}
          </>
        }
      />
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <TimeLeft membership={membership} />
            <Periods membership={membership} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Paper>
              <Facts facts={factsOf(membership, name)} />
            </Paper>
            {membership.chatUserId && (
              <EntitlementList
                queryKey={["membership", membership.id]}
                query={{ chatUserId: membership.chatUserId, productId: membership.productId, limit: 20 }}
              />
            )}
            <Metadata path={path} metadata={membership.metadata} allowed={allowed} />
          </Stack>
        </Grid.Col>
      </Grid>
      {asked && (
        <ActionDialog
          asked={asked}
          membership={membership}
          name={name}
          etag={etag}
          path={path}
          close={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** The end in large letters, and how much of the time has passed. */
function TimeLeft({ membership }: { membership: Membership }) {
  const state = stateOf(membership);
  const start = Date.parse(membership.startedAt);
  const end = Date.parse(membership.expiresAt);
  const now = membership.pausedAt ? Date.parse(membership.pausedAt) : Date.now();
  const passed = end > start ? Math.min(100, Math.max(0, (100 * (now - start)) / (end - start))) : 100;
  const days = Math.floor((end - now) / 86_400_000);
  const left =
    state === "PAUSED"
      ? t("memberships.stopped")
      : end <= now
        ? t("memberships.isOver")
        : days < 1
          ? t("memberships.lessThanADay")
          : t(days === 1 ? "memberships.dayLeft" : "memberships.daysLeft", { count: count(days) });
  return (
    <Paper>
      <Group justify="space-between" align="baseline" gap="xs">
        <div>
          <Text size="sm" c="dimmed">
            {t("memberships.until")}
          </Text>
          <Text fz={{ base: 20, md: 28 }} fw={600}>
            {dateTime(membership.expiresAt)}
          </Text>
        </div>
        <Text c="dimmed">{left}</Text>
      </Group>
      <Progress
        value={passed}
        mt="sm"
        color={state === "GRACE" ? "orange" : state === "ENDED" || state === "PAUSED" ? "gray" : "indigo"}
        aria-label={t("memberships.elapsed")}
      />
      {state === "GRACE" && (
        <Text mt="sm">{t("memberships.inGrace", { time: relativeTime(membership.graceEndsAt) })}</Text>
      )}
      {membership.cancelledAt && state !== "ENDED" && <Text mt="sm">{t("memberships.isCancelled")}</Text>}
    </Paper>
  );
}

function Periods({ membership }: { membership: Membership }) {
  const path = `${base}/${encodeURIComponent(membership.id)}/periods`;
  return (
    <div>
      <Title order={2} fz={16} mb="sm">
        {t("periods.title")}
      </Title>
      <CursorList<MembershipPeriod>
        label={t("periods.title")}
        path={path}
        columns={[
          {
            title: t("periods.what"),
            cell: (period) => (
              <>
                {t(`periodKind.${period.kind}`)} {period.orderId && <RecordLink kind="order" id={period.orderId} />}
                <Text size="xs" c="dimmed" fw={400}>
                  <RecordName kind="product" id={period.productId} />
                </Text>
                {period.giftedBy && (
                  <Text size="xs" c="dimmed" fw={400}>
                    <Giver id={period.giftedBy} />
                  </Text>
                )}
                {period.refundedAt && <StatusMark tone="neutral">{t("periods.refunded")}</StatusMark>}
              </>
            ),
          },
          {
            title: t("periods.time"),
            cell: (period) => (period.kind === "PLAN_CHANGE" ? t("periods.unused") : lengthText(period)),
            phone: true,
          },
          {
            title: t("periods.value"),
            cell: (period) =>
              period.kind === "PLAN_CHANGE" ? "" : <Money cents={period.valueCents} currency={period.currency} />,
            numeric: true,
            phone: true,
          },
          { title: t("periods.when"), cell: (period) => <When at={period.paidAt} />, phone: true },
        ]}
        keyOf={(period) => period.id}
        empty={null}
      />
    </div>
  );
}

function Giver({ id }: { id: string }) {
  const name = useName("member", id);
  return t("periods.gift", { name: name ?? id });
}

interface ActionProps {
  asked: Asked;
  membership: Membership;
  name: string;
  etag: string;
  path: string;
  close: () => void;
}

function ActionDialog({ asked, membership, name, etag, path, close }: ActionProps) {
  const queries = useQueryClient();
  const [plan, setPlan] = useState<string | null>(null);
  const run = async () => {
    await api
      .post(`${path}/${asked}`, asked === "plan" ? { productId: plan ?? "" } : {}, { ifMatch: etag })
      .finally(() => queries.invalidateQueries({ queryKey: [path] }));
    await queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).startsWith(base) || queryKey[0] === "/api/data/entitlement",
    });
    notifySaved(t("memberships.changed"));
  };
  if (asked === "plan") {
    return (
      <ConfirmDialog
        title={t("memberships.changePlan")}
        text={t("memberships.changePlanText")}
        button={t("memberships.changePlan")}
        run={run}
        close={close}
      >
        <PlanSelect membership={membership} value={plan} onChange={setPlan} />
      </ConfirmDialog>
    );
  }
  const texts = {
    pause: [t("memberships.pause"), t("memberships.pauseText", { name })],
    resume: [t("memberships.resume"), t("memberships.resumeText", { name })],
    cancel: [
      t("memberships.cancel"),
      stateOf(membership) === "GRACE"
        ? t("memberships.cancelGraceText", { name })
        : t("memberships.cancelText", { name, end: dateTime(membership.expiresAt) }),
    ],
  } as const;
  const [title, text] = texts[asked];
  return <ConfirmDialog danger={asked !== "resume"} title={title} text={text} button={title} run={run} close={close} />;
}

/** The other plans of the group, in the same currency. */
function PlanSelect({
  membership,
  value,
  onChange,
}: {
  membership: Membership;
  value: string | null;
  onChange: (plan: string | null) => void;
}) {
  const products = useQuery({
    queryKey: ["/api/data/product", "plans"],
    queryFn: () => api.get<Page<Product>>("/api/data/product", { query: { limit: 200 } }),
  });
  const own = useQuery({
    queryKey: ["/api/data/product", "plan", membership.productId],
    queryFn: () => api.get<Product>(`/api/data/product/${encodeURIComponent(membership.productId)}`),
  });
  if (!products.data || !own.data) return <Skeleton height={60} />;
  const group = own.data.membership?.group;
  const plans = products.data.items.filter(
    (each) =>
      group &&
      each.membership?.group === group &&
      each.currency === own.data.currency &&
      each.id !== membership.productId,
  );
  if (plans.length === 0)
    return (
      <Text>
        {t("memberships.noOtherPlan")} <Link href={`/products/${membership.productId}`}>{own.data.name}</Link>
      </Text>
    );
  return (
    <Select
      required
      label={t("memberships.newPlan")}
      data={plans.map((plan) => ({ value: plan.id, label: plan.name }))}
      value={value}
      onChange={onChange}
    />
  );
}
