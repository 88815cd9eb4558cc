import { Button, CopyButton, Group, NumberInput, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "@guildhall/client";
import { useState } from "react";
import { api, ApiError, type MadeMembershipCodes, type MembershipCode } from "../../api";
import { valuesOf } from "../../enums";
import { useAction } from "../../lib/action";
import { csvText, download } from "../../lib/csv";
import { useDraft } from "../../lib/drafts";
import { fieldMessage } from "../../lib/field-messages";
import { count } from "../../lib/format";
import { instantOf, shopDay } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, ErrorNotice, GuardedButton, When } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { notifySaved } from "../../ui/form";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { StatusMark, type Tone } from "../../ui/marks";
import { Modal } from "../../ui/modal";
import { RecordLink, RecordName } from "../../ui/record-name";
import { RecordSelect } from "../../ui/record-select";

const path = "/api/admin/codes";
const tones = { OPEN: "good", REDEEMED: "info", WITHDRAWN: "neutral", EXPIRED: "neutral" } satisfies Record<
  string,
  Tone
>;
const filters: Filter[] = [
  {
    key: "status",
    label: t("memberships.state"),
    kind: "choices",
    quick: true,
    data: choicesOf("codeStatus", valuesOf("MembershipCode", "status")),
  },
  { key: "productId", label: t("codes.product"), kind: "record", of: "membership", quick: true },
  { key: "customerId", label: t("codes.redeemedBy"), kind: "record", of: "customer" },
];
const keys = filters.map((filter) => filter.key);

function stateOf(code: MembershipCode): keyof typeof tones {
  return code.status === "OPEN" && code.expiresAt && Date.parse(code.expiresAt) <= Date.now() ? "EXPIRED" : code.status;
}

export function Codes() {
  const { may } = useSession();
  const queries = useQueryClient();
  const { values, change, filtered } = useUrlState(keys);
  const [making, setMaking] = useState(false);
  const [withdrawing, setWithdrawing] = useState<MembershipCode | null>(null);
  const make = (
    <GuardedButton allowed={may("admin.access")} leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t("codes.make")}
    </GuardedButton>
  );
  const withdraw = async (code: MembershipCode) => {
    await api.delete(`${path}/${encodeURIComponent(code.id)}`);
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved(t("codes.withdrawn"));
  };
  return (
    <>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <FilterBar filters={filters} values={values} change={change} />
        <div className="thumb">{make}</div>
      </Group>
      <PagedList<MembershipCode>
        label={t("memberships.codes")}
        path={path}
        query={queryOf(filters, values)}
        columns={[
          {
            title: t("codes.code"),
            cell: (code) => (
              <>
                <span className="numeric">…{code.hint}</span>
                {code.note && (
                  <Text size="xs" c="dimmed" fw={400} className="break-anywhere">
                    {code.note}
                  </Text>
                )}
              </>
            ),
          },
          { title: t("codes.product"), cell: (code) => <RecordName kind="product" id={code.productId} />, phone: true },
          {
            title: t("memberships.state"),
            cell: (code) => <StatusMark tone={tones[stateOf(code)]}>{t(`codeStatus.${stateOf(code)}`)}</StatusMark>,
            phone: true,
          },
          { title: t("codes.redeemedBy"), cell: (code) => <RecordLink kind="customer" id={code.customerId} /> },
          { title: t("codes.expires"), cell: (code) => code.expiresAt && <When at={code.expiresAt} /> },
          { title: t("codes.madeAt"), cell: (code) => <When at={code.createdAt} /> },
          {
            title: "",
            cell: (code) =>
              code.status === "OPEN" && (
                <GuardedButton
                  allowed={may("admin.access")}
                  size="compact-sm"
                  variant="default"
                  onClick={() => setWithdrawing(code)}
                >
                  {t("codes.withdraw")}
                </GuardedButton>
              ),
            phone: true,
          },
        ]}
        keyOf={(code) => code.id}
        versionOf={(code) => code.updatedAt}
        empty={
          filtered ? (
            <NothingMatches clear={() => change(Object.fromEntries(keys.map((key) => [key, ""])))} />
          ) : (
            <Empty title={t("codes.empty")} text={t("codes.emptyText")} />
          )
        }
      />
      {making && <MakeCodes close={() => setMaking(false)} />}
      {withdrawing && (
        <ConfirmDialog
          danger
          title={t("codes.withdraw")}
          text={t("codes.withdrawText", { hint: withdrawing.hint })}
          button={t("codes.withdraw")}
          run={() => withdraw(withdrawing)}
          close={() => setWithdrawing(null)}
        />
      )}
    </>
  );
}

interface Made {
  count: number;
  codes: string[] | null;
  note: string;
}

function MakeCodes({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  const [key] = useState(newIdempotencyKey);
  const form = useForm({
    initialValues: {
      productId: "",
      count: 10 as number | string,
      periods: 1 as number | string,
      expiresAt: "",
      note: "",
    },
    validate: { productId: (id) => (id === "" ? t("codes.noProduct") : null) },
  });
  const make = useAction(async () => {
    const { productId, count: wanted, periods, expiresAt, note } = form.values;
    const body = {
      productId,
      count: Number(wanted),
      periods: Number(periods),
      note: note || null,
      expiresAt: expiresAt ? instantOf(`${expiresAt}T23:59:59.999`) : null,
    };
    try {
      const reply = await api.post<MadeMembershipCodes>(path, body, { idempotencyKey: key });
      setMade({ count: reply.count, codes: reply.codes ?? null, note });
    } catch (thrown) {
      if (thrown instanceof ApiError)
        for (const { field, message } of thrown.details) form.setFieldError(field, fieldMessage(message));
      throw thrown;
    }
    await queries.invalidateQueries({ queryKey: [path] });
  });
  if (made) return <MadeCodes made={made} close={close} />;
  return (
    <Modal onClose={close} title={t("codes.make")}>
      <form onSubmit={form.onSubmit(() => void make.run())}>
        <Stack>
          <Text>{t("codes.text")}</Text>
          <RecordSelect
            kind="membership"
            required
            label={t("codes.product")}
            value={form.values.productId}
            onChange={(id) => form.setFieldValue("productId", id)}
            error={form.errors["productId"]}
          />
          <Group grow align="flex-start">
            <NumberInput
              label={t("codes.count")}
              min={1}
              max={1000}
              allowDecimal={false}
              required
              {...form.getInputProps("count")}
            />
            <NumberInput
              label={t("codes.periods")}
              min={1}
              max={120}
              allowDecimal={false}
              required
              {...form.getInputProps("periods")}
            />
          </Group>
          <TextInput type="date" label={t("codes.expires")} min={shopDay()} {...form.getInputProps("expiresAt")} />
          <TextInput
            label={t("codes.note")}
            description={t("codes.noteText")}
            maxLength={200}
            {...form.getInputProps("note")}
          />
          {make.error && <ErrorNotice error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" loading={make.busy}>
              {t("codes.make")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The codes, which the server shows once. The window closes only with its button, so that no stray click loses them. */
function MadeCodes({ made, close }: { made: Made; close: () => void }) {
  useDraft(true);
  const codes = made.codes ?? [];
  return (
    <Modal
      onClose={close}
      title={t("codes.made", { count: count(made.count) })}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{t(made.codes ? "codes.madeText" : "codes.lost")}</Text>
        {made.codes && (
          <Paper p="sm" mah={260} style={{ overflowY: "auto" }} tabIndex={0} aria-label={t("memberships.codes")}>
            {codes.map((code) => (
              <Text key={code} ff="monospace">
                {code}
              </Text>
            ))}
          </Paper>
        )}
        <Group justify="flex-end" gap="xs">
          {made.codes && (
            <>
              <CopyButton value={codes.join("\n")}>
                {({ copied, copy }) => (
                  <Button variant="default" onClick={copy}>
                    {copied ? t("action.copied") : t("codes.copy")}
                  </Button>
                )}
              </CopyButton>
              <Button
                leftSection={<IconDownload size={16} />}
                onClick={() =>
                  download("codes.csv", csvText([["code", "note"], ...codes.map((code) => [code, made.note])]))
                }
              >
                {t("codes.download")}
              </Button>
            </>
          )}
          <Button variant="default" onClick={close}>
            {t("codes.close")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
