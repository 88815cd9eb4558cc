import {
  Alert,
  Group,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Tabs,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "@guildhall/client";
import { useState } from "react";
import { api, type FundBalance, type FundConfig, type LedgerEntry } from "../../api";
import { fundConfigQuery, fundPath as base } from "../../lib/fund";
import { money, moneyInput, parseMoney } from "../../lib/format";
import { useUrlState } from "../../lib/url-state";
import { useVersions } from "../../lib/versions";
import { useSession } from "../../session";
import { t, type TextKey } from "../../text";
import { rightName, rights, roles } from "../../lib/roles";
import { RightsInput } from "../../ui/rights-input";
import { Empty, Figure, GuardedButton, Money, PageHead, Status, Unavailable, When } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog, WrongField } from "../../ui/dialogs";
import { amountWrong, FormPage, notifySaved } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { RecordLink } from "../../ui/record-name";
import { RecordSelect } from "../../ui/record-select";
import { BalanceCard, PublicPreview, VerifyLedger } from "./fund-overview";

export function FundPage() {
  const { values, change } = useUrlState(["tab"]);
  const config = useQuery(fundConfigQuery);
  const balance = useQuery({ queryKey: [base, "balance"], queryFn: () => api.get<FundBalance>(`${base}/balance`) });
  const [open, setOpen] = useState<"contribute" | "disburse" | null>(null);
  if (!config.data) return <Unavailable query={config} title={t("fund.title")} />;
  const { record: fund, etag } = config.data;
  return (
    <>
      <PageHead
        title={t("fund.title")}
        status={<Status value={fund.enabled ? "ENABLED" : "DISABLED"} kind="methodState" />}
        actions={
          <>
            <GuardedButton
              allowed={fund.enabled}
              reason={t("fund.disabled")}
              variant="default"
              onClick={() => setOpen("contribute")}
            >
              {t("fund.contribute")}
            </GuardedButton>
            <DisburseButton fund={fund} open={() => setOpen("disburse")} />
          </>
        }
      />
      {fund.disclaimerText && (
        <Alert
          color="gray"
          icon={<IconInfoCircle size={18} />}
          mb="lg"
          title={t("fund.disclaimer")}
          className="break-anywhere"
          style={{ whiteSpace: "pre-line" }}
        >
          {fund.disclaimerText}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }} mb="lg">
        {(["currentBalanceCents", "totalContributedCents", "totalDisbursedCents"] as const).map((name) => (
          <Paper key={name}>
            <Text c="dimmed">{t(`fund.${name}`)}</Text>
            {balance.data ? (
              <Figure>{money(balance.data[name], fund.currency)}</Figure>
            ) : (
              <Skeleton height={34} mt={4} />
            )}
          </Paper>
        ))}
      </SimpleGrid>
      <Tabs
        value={values.tab || "ledger"}
        onChange={(tab) => change({ tab: tab === "ledger" ? "" : (tab ?? "") })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="ledger">{t("fund.ledger")}</Tabs.Tab>
          <Tabs.Tab value="public">{t("fund.preview")}</Tabs.Tab>
          <Tabs.Tab value="settings">{t("settings.title")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ledger">
          {balance.data?.totalContributedCents !== 0 && <BalanceCard fund={fund} balance={balance.data} />}
          {balance.data?.totalContributedCents !== 0 && <VerifyLedger balance={balance.data} />}
          <Ledger fund={fund} />
        </Tabs.Panel>
        <Tabs.Panel value="public">
          <PublicPreview fund={fund} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <FundSettings key={etag} fund={fund} etag={etag} />
        </Tabs.Panel>
      </Tabs>
      {open && (
        <MoneyDialog
          kind={open}
          fund={fund}
          balance={balance.data?.currentBalanceCents ?? 0}
          close={() => setOpen(null)}
        />
      )}
    </>
  );
}

/** A disbursement needs one of the fund's approval roles. */
function DisburseButton({ fund, open }: { fund: FundConfig; open: () => void }) {
  const { may } = useSession();
  const approver = fund.disbursementApprovalRoles.some(may);
  const reason = fund.enabled
    ? t("fund.needsRole", { roles: fund.disbursementApprovalRoles.map(rightName).join(", ") })
    : t("fund.disabled");
  return (
    <GuardedButton allowed={fund.enabled && approver} reason={reason} onClick={open}>
      {t("fund.disburse")}
    </GuardedButton>
  );
}

function Ledger({ fund }: { fund: FundConfig }) {
  return (
    <CursorList<LedgerEntry>
      label={t("fund.ledger")}
      path={`${base}/ledger`}
      columns={[
        { title: t("fund.what"), cell: (entry) => t(`ledger.${entry.kind}.${entry.source}` as TextKey) },
        {
          title: t("fund.by"),
          cell: (entry) =>
            entry.anonymous ? t("fund.anonymous") : <RecordLink kind="customer" id={entry.customerId} />,
          phone: true,
        },
        {
          title: t("fund.why"),
          cell: (entry) => entry.reason ?? <RecordLink kind="order" id={entry.orderId} />,
          phone: true,
        },
        { title: t("orders.created"), cell: (entry) => <When at={entry.createdAt} />, phone: true },
        {
          title: t("order.amount"),
          cell: (entry) => <Money cents={entry.changeCents} currency={fund.currency} />,
          numeric: true,
          phone: true,
        },
        {
          title: t("fund.balance"),
          cell: (entry) => <Money cents={entry.balanceCents} currency={fund.currency} />,
          numeric: true,
        },
      ]}
      keyOf={(entry) => entry.id}
      empty={
        fund.enabled ? (
          <Empty title={t("fund.empty")} text={t("fund.emptyText")} />
        ) : (
          <Empty
            title={t("fund.disabled")}
            text={t("fund.offText")}
            action={
              <GuardedButton allowed href="/fund?tab=settings">
                {t("fund.toSettings")}
              </GuardedButton>
            }
          />
        )
      }
    />
  );
}

function MoneyDialog({
  kind,
  fund,
  balance,
  close,
}: {
  kind: "contribute" | "disburse";
  fund: FundConfig;
  balance: number;
  close: () => void;
}) {
  const queries = useQueryClient();
  const [customer, setCustomer] = useState("");
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const [key] = useState(newIdempotencyKey);
  const cents = parseMoney(amount, fund.currency);
  const shown = cents === null ? "" : money(cents, fund.currency);
  const paysOut = kind === "disburse";
  const customerField = paysOut ? "recipientCustomerId" : "customerId";
  return (
    <ConfirmDialog
      danger={paysOut}
      title={t(`fund.${kind}`)}
      text={paysOut ? t("fund.disburseText", { balance: money(balance, fund.currency) }) : t("fund.contributeText")}
      button={cents === null ? t(`fund.${kind}`) : t(`fund.${kind}Button`, { amount: shown })}
      run={async () => {
        if (customer === "") throw new WrongField(customerField, t("fund.customerMissing"));
        if (cents === null || cents === 0) throw new WrongField("amountCents", amountWrong(fund.currency));
        if (paysOut)
          await api.post(
            `${base}/disbursements`,
            { [customerField]: customer, amountCents: cents, reason },
            { idempotencyKey: key },
          );
        else
          await api.post(
            `${base}/contributions`,
            { [customerField]: customer, amountCents: cents },
            { idempotencyKey: key },
          );
        await queries.invalidateQueries({ queryKey: [base] });
        await queries.invalidateQueries({ queryKey: [`${base}/ledger`] });
        notifySaved();
      }}
      close={close}
    >
      {(wrong) => (
        <>
          <RecordSelect
            kind="customer"
            label={t("fund.customer")}
            placeholder={t("fund.customerSearch")}
            required
            data-autofocus
            value={customer}
            error={wrong(customerField)}
            onChange={setCustomer}
          />
          <TextInput
            label={t("refunds.amount", { currency: fund.currency })}
            inputMode="decimal"
            required
            value={amount}
            error={wrong("amountCents")}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
          {paysOut && (
            <Textarea
              label={t("fund.reason")}
              required
              maxLength={1000}
              value={reason}
              error={wrong("reason")}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

const settingLabels = (currency: string) => ({
  enabled: t("fund.enabledLabel"),
  allowedAmountsCents: t("fund.amounts", { currency }),
  customAmountAllowed: t("fund.custom"),
  customAmountMinCents: t("fund.min"),
  customAmountMaxCents: t("fund.max"),
  anonymityAllowed: t("fund.anonymity"),
  publicViewEnabled: t("fund.public"),
  celebrationChannelId: t("fund.channel"),
  celebrationMessageTemplate: t("fund.celebration"),
  anonymousMessageTemplate: t("fund.celebrationAnonymous"),
  disclaimerText: t("fund.disclaimer"),
  disbursementApprovalRoles: t("fund.approvers"),
});

function shownSetting(value: unknown, currency: string): string {
  if (Array.isArray(value)) return value.map((each) => shownSetting(each, currency)).join(", ");
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  return typeof value === "number" ? moneyInput(value, currency) : rightName(String(value ?? "–"));
}

function FundSettings({ fund, etag }: { fund: FundConfig; etag: string }) {
  const queries = useQueryClient();
  const asText = (cents: number) => moneyInput(cents, fund.currency);
  const amount = (text: string) => (parseMoney(text, fund.currency) === null ? amountWrong(fund.currency) : null);
  const form = useForm({
    initialValues: {
      enabled: fund.enabled,
      allowedAmountsCents: fund.allowedAmountsCents.map(asText),
      customAmountAllowed: fund.customAmountAllowed,
      customAmountMinCents: asText(fund.customAmountMinCents),
      customAmountMaxCents: asText(fund.customAmountMaxCents),
      celebrationChannelId: fund.celebrationChannelId ?? "",
      celebrationMessageTemplate: fund.celebrationMessageTemplate,
      anonymousMessageTemplate: fund.anonymousMessageTemplate,
      anonymityAllowed: fund.anonymityAllowed,
      disbursementApprovalRoles: fund.disbursementApprovalRoles,
      disclaimerText: fund.disclaimerText,
      publicViewEnabled: fund.publicViewEnabled,
    },
    validate: {
      allowedAmountsCents: (values) =>
        values.some((text) => parseMoney(text, fund.currency) === null) ? amountWrong(fund.currency) : null,
      customAmountMinCents: amount,
      customAmountMaxCents: amount,
    },
  });
  const versions = useVersions<FundConfig>(`${base}/config`, async (changes, version) => {
    await api.put(`${base}/config`, changes, { ifMatch: version });
    await queries.invalidateQueries({ queryKey: [base] });
    notifySaved();
  });
  return (
    <FormPage
      form={form}
      save={(values) => {
        const cents = (text: string) => parseMoney(text, fund.currency);
        // Only what changed is sent: the approval roles may be changed by fewer people than the rest.
        const changed = Object.fromEntries(
          Object.entries({
            ...values,
            celebrationChannelId: values.celebrationChannelId || null,
            allowedAmountsCents: values.allowedAmountsCents.map(cents),
            customAmountMinCents: cents(values.customAmountMinCents),
            customAmountMaxCents: cents(values.customAmountMaxCents),
          }).filter(([name]) => form.isDirty(name)),
        );
        return versions.save(changed, etag, { base: fund });
      }}
    >
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={settingLabels(fund.currency)}
          show={(value) => shownSetting(value, fund.currency)}
        />
      )}
      <Paper>
        <Stack>
          <Switch label={t("fund.enabledLabel")} {...form.getInputProps("enabled", { type: "checkbox" })} />
          <TagsInput
            label={t("fund.amounts", { currency: fund.currency })}
            {...form.getInputProps("allowedAmountsCents")}
          />
          <Switch label={t("fund.custom")} {...form.getInputProps("customAmountAllowed", { type: "checkbox" })} />
          <Group grow align="flex-start">
            <TextInput label={t("fund.min")} inputMode="decimal" {...form.getInputProps("customAmountMinCents")} />
            <TextInput label={t("fund.max")} inputMode="decimal" {...form.getInputProps("customAmountMaxCents")} />
          </Group>
          <Switch label={t("fund.anonymity")} {...form.getInputProps("anonymityAllowed", { type: "checkbox" })} />
          <Switch label={t("fund.public")} {...form.getInputProps("publicViewEnabled", { type: "checkbox" })} />
        </Stack>
      </Paper>
      <Paper>
        <Stack>
          <TextInput label={t("fund.channel")} {...form.getInputProps("celebrationChannelId")} />
          <Textarea
            label={t("fund.celebration")}
            description={t("fund.celebrationText")}
            autosize
            {...form.getInputProps("celebrationMessageTemplate")}
          />
          <Textarea
            label={t("fund.celebrationAnonymous")}
            autosize
            {...form.getInputProps("anonymousMessageTemplate")}
          />
          <Textarea label={t("fund.disclaimer")} autosize {...form.getInputProps("disclaimerText")} />
          <RightsInput
            label={t("fund.approvers")}
            description={t("fund.approversText")}
            offered={[...roles, ...rights]}
            {...form.getInputProps("disbursementApprovalRoles")}
          />
        </Stack>
      </Paper>
    </FormPage>
  );
}
