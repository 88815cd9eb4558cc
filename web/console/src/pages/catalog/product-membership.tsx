// The membership part of a product's form.
import { Group, NumberInput, Paper, Select, Stack, Switch, TextInput, Title } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Product } from "../../api";
import { t } from "../../text";

export interface TermValues {
  isMembership: boolean;
  length: number | string;
  unit: "months" | "days";
  trialDays: number | string;
  graceDays: number | string;
  renewal: "manual" | "invoice";
  reminderDays: string;
  group: string;
}

export function termValuesOf({ membership }: Product): TermValues {
  return {
    isMembership: Boolean(membership),
    length: membership?.periodMonths ?? membership?.periodDays ?? 1,
    unit: membership?.periodDays ? "days" : "months",
    trialDays: membership?.trialDays ?? 0,
    graceDays: membership?.graceDays ?? 3,
    renewal: membership?.renewal ?? "manual",
    reminderDays: (membership?.reminderDays ?? [7, 1]).join(", "),
    group: membership?.group ?? "",
  };
}

const daysOf = (text: string) =>
  text
    .split(/[,;\s]+/)
    .filter((part) => part !== "")
    .map(Number);

export function reminderProblem(text: string, terms: TermValues): string | null {
  if (!terms.isMembership) return null;
  const days = daysOf(text);
  const right =
    days.length <= 10 &&
    new Set(days).size === days.length &&
    days.every((day) => Number.isInteger(day) && day >= 1 && day <= 365);
  return right ? null : t("terms.remindersWrong");
}

export function membershipOf(terms: TermValues): Product["membership"] {
  if (!terms.isMembership) return null;
  return {
    periodMonths: terms.unit === "months" ? Number(terms.length) : null,
    periodDays: terms.unit === "days" ? Number(terms.length) : null,
    trialDays: Number(terms.trialDays),
    graceDays: Number(terms.graceDays),
    renewal: terms.renewal,
    reminderDays: daysOf(terms.reminderDays),
    group: terms.group.trim() || null,
  };
}

export function MembershipTerms<V extends { terms: TermValues }>({
  form,
  readOnly,
}: {
  form: UseFormReturnType<V>;
  readOnly: boolean;
}) {
  const { isMembership, unit } = form.values.terms;
  return (
    <Paper component="fieldset" disabled={readOnly}>
      <Title order={2} fz={16} mb="sm">
        {t("terms.title")}
      </Title>
      <Stack>
        <Switch
          label={t("terms.isMembership")}
          description={t("terms.isMembershipText")}
          {...form.getInputProps("terms.isMembership", { type: "checkbox" })}
        />
        {isMembership && (
          <>
            <Group grow align="flex-start">
              <NumberInput
                label={t("terms.length")}
                required
                min={1}
                max={unit === "months" ? 120 : 3660}
                allowDecimal={false}
                {...form.getInputProps("terms.length")}
              />
              <Select
                label={t("terms.unit")}
                allowDeselect={false}
                data={[
                  { value: "months", label: t("terms.months") },
                  { value: "days", label: t("terms.days") },
                ]}
                {...form.getInputProps("terms.unit")}
              />
            </Group>
            <Group grow align="flex-start">
              <NumberInput
                label={t("terms.trial")}
                description={t("terms.trialText")}
                min={0}
                max={365}
                allowDecimal={false}
                {...form.getInputProps("terms.trialDays")}
              />
              <NumberInput
                label={t("terms.grace")}
                description={t("terms.graceText")}
                min={0}
                max={90}
                allowDecimal={false}
                {...form.getInputProps("terms.graceDays")}
              />
            </Group>
            <TextInput
              label={t("terms.reminders")}
              description={t("terms.remindersText")}
              inputMode="numeric"
              {...form.getInputProps("terms.reminderDays")}
            />
            <Select
              label={t("terms.renewal")}
              allowDeselect={false}
              data={[
                { value: "manual", label: t("terms.manual") },
                { value: "invoice", label: t("terms.invoice") },
              ]}
              {...form.getInputProps("terms.renewal")}
            />
            <TextInput
              label={t("terms.group")}
              description={t("terms.groupText")}
              maxLength={64}
              {...form.getInputProps("terms.group")}
            />
          </>
        )}
      </Stack>
    </Paper>
  );
}
