// The fund's balance over time, the check of its ledger, and what visitors see of it.
import { Alert, Button, Center, Group, Paper, Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconExternalLink, IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Page } from "@guildhall/client";
import {
  api,
  ApiError,
  type FundBalance,
  type FundConfig,
  type FundReport,
  type LedgerEntry,
  type PublicFund,
} from "../../api";
import { useAction } from "../../lib/action";
import { useBranding } from "../../lib/branding";
import { count, money } from "../../lib/format";
import { fundPath as base } from "../../lib/fund";
import { loadablePart } from "../../lib/loadable";
import { shopDay, shopTimeZone } from "../../lib/shop";
import { useSession } from "../../session";
import { currentLanguage, t } from "../../text";
import { Empty, ErrorNotice, Figure, When } from "../../ui/basics";

const BalanceChart = loadablePart(() => import("../../ui/balance-chart").then((m) => m.BalanceChart));
const reportPath = "/api/admin/reports/fund";
const days = 90;

/** The balance at the end of each day, counted back from the present one. */
function balances(report: FundReport, present: number): { day: string; balance: number }[] {
  let balance = present;
  const points = [...report.items].reverse().map((row) => {
    const point = {
      day: new Date(`${row.start}T00:00:00`).toLocaleDateString(currentLanguage(), { day: "numeric", month: "short" }),
      balance,
    };
    balance -= row.changeCents;
    return point;
  });
  return points.reverse();
}

export function BalanceCard({ fund, balance }: { fund: FundConfig; balance: FundBalance | undefined }) {
  const query = { from: shopDay(days - 1), interval: "day", timeZone: shopTimeZone() };
  const report = useQuery({
    queryKey: [reportPath, query],
    queryFn: ({ signal }) => api.get<FundReport>(reportPath, { query, signal }),
  });
  const accent = useBranding().data?.record.accentColor ?? "indigo.6";
  if (report.error) return <ErrorNotice error={report.error} retry={() => void report.refetch()} />;
  if (!report.data || !balance) return <Skeleton height={260} mb="lg" />;
  const points = balances(report.data, balance.currentBalanceCents);
  return (
    <Paper mb="lg">
      <Title order={2} fz={16} mb="sm">
        {t("fund.chart", { days })}
      </Title>
      <BalanceChart
        meanwhile={<Skeleton height={200} />}
        label={t("fund.chartText", {
          days,
          first: money(points[0]?.balance ?? 0, fund.currency),
          last: money(balance.currentBalanceCents, fund.currency),
        })}
        name={t("fund.currentBalanceCents")}
        points={points}
        currency={fund.currency}
        color={accent}
      />
    </Paper>
  );
}

interface Verification {
  checked: number;
  complete: boolean;
  problem: string | null;
}

/** Reads the whole ledger and adds it up again: each balance must follow from the one before it. */
export function VerifyLedger({ balance }: { balance: FundBalance | undefined }) {
  const [state, setState] = useState<Verification | null>(null);
  const left = useRef(false);
  useEffect(() => () => void (left.current = true), []);
  const verification = useAction(async () => {
    left.current = false;
    setState(null);
    const present = await api.get<FundBalance>(`${base}/balance`);
    // Newest first: each entry says what the balance before it must have been.
    let expected = present.currentBalanceCents;
    let checked = 0;
    let cursor: string | null = null;
    do {
      const page: Page<LedgerEntry> = await api.get<Page<LedgerEntry>>(`${base}/ledger`, {
        query: { limit: 200, cursor },
      });
      for (const entry of page.items) {
        if (entry.balanceCents !== expected)
          return setState({ checked, complete: true, problem: t("fund.mismatch", { id: entry.id }) });
        expected = entry.balanceCents - entry.changeCents;
        ++checked;
      }
      cursor = page.nextCursor;
      if (left.current) return;
      setState({ checked, complete: false, problem: null });
    } while (cursor !== null);
    setState({ checked, complete: true, problem: expected === 0 ? null : t("fund.mismatchStart") });
  });
  return (
    <Stack gap="xs" mb="md">
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" size="sm">
          {t("fund.verifyText")}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconShieldCheck size={16} />}
          loading={verification.busy}
          disabled={!balance}
          onClick={() => void verification.run()}
        >
          {t("fund.verify")}
        </Button>
      </Group>
      {verification.busy && <Progress value={100} animated aria-label={t("audit.verifying")} />}
      {verification.error && <ErrorNotice error={verification.error} />}
      <div role="status">
        {state?.complete &&
          (state.problem ? (
            <Alert color="red" icon={<IconCircleX size={18} />}>
              {state.problem}
            </Alert>
          ) : (
            <Alert color="green" icon={<IconCircleCheck size={18} />}>
              {t("fund.verified", { count: count(state.checked) })}
            </Alert>
          ))}
      </div>
    </Stack>
  );
}

/** What anybody can see. The server answers with 404 while the fund is not public. */
export function PublicPreview({ fund }: { fund: FundConfig }) {
  const { session } = useSession();
  const branding = useBranding().data?.record;
  const path = `/api/community-fund/${encodeURIComponent(session.user.tenantId)}/public`;
  const shown = useQuery({ queryKey: [path, fund.updatedAt], queryFn: () => api.get<PublicFund>(path) });
  const hidden = shown.error instanceof ApiError && shown.error.status === 404;
  if (hidden)
    return (
      <Paper>
        <Empty title={t("fund.notPublic")} text={t("fund.notPublicText")} />
      </Paper>
    );
  if (shown.error) return <ErrorNotice error={shown.error} retry={() => void shown.refetch()} />;
  if (!shown.data) return <Skeleton height={240} />;
  const { currency, currentBalanceCents, totalContributedCents, totalDisbursedCents, contributions } = shown.data;
  return (
    <Stack maw={640}>
      <Group justify="space-between">
        <Text c="dimmed">{t("fund.publicText")}</Text>
        <Button
          component="a"
          href={path}
          target="_blank"
          rel="noopener"
          size="xs"
          variant="default"
          rightSection={<IconExternalLink size={14} />}
        >
          {t("fund.publicOpen")}
        </Button>
      </Group>
      <Paper p="xl">
        <Title order={2} ta="center" className="break-anywhere">
          {branding?.shopName}
        </Title>
        <Text ta="center" c="dimmed" mb="md">
          {t("fund.title")}
        </Text>
        <Center>
          <Figure>{money(currentBalanceCents, currency)}</Figure>
        </Center>
        <Text ta="center" c="dimmed" mb="md">
          {t("fund.publicTotals", {
            contributed: money(totalContributedCents, currency),
            disbursed: money(totalDisbursedCents, currency),
          })}
        </Text>
        {contributions.length === 0 && (
          <Text ta="center" c="dimmed">
            {t("fund.publicNone")}
          </Text>
        )}
        <Stack gap="xs">
          {contributions.map((contribution, index) => (
            <Group key={index} justify="space-between">
              <Text className="break-anywhere">{contribution.donor ?? t("fund.anonymous")}</Text>
              <Text size="sm" c="dimmed" component="div">
                <When at={contribution.createdAt} />
              </Text>
              <span className="numeric">{money(contribution.amountCents, currency)}</span>
            </Group>
          ))}
        </Stack>
      </Paper>
    </Stack>
  );
}
