import {
  Grid,
  Group,
  NumberInput,
  Paper,
  Radio,
  SegmentedControl,
  Stack,
  Switch,
  TextInput,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useParams } from "wouter";
import type { Discount } from "../../api";
import { currencies } from "../../lib/currencies";
import { moneyInput, parseMoney } from "../../lib/format";
import { useRecord } from "../../lib/record";
import { instantOf, shopCurrency, shopTime } from "../../lib/shop";
import { useSession } from "../../session";
import { t } from "../../text";
import { GuardedButton, PageHead, Unavailable } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog } from "../../ui/dialogs";
import { amountWrong, FormPage } from "../../ui/form";
import { Metadata } from "../../ui/metadata";
import { RecordsSelect } from "../../ui/record-select";
import { RoleSelect } from "../../ui/role-select";
import { SearchSelect } from "../../ui/search-select";
import { DiscountSummary } from "./discount-summary";
import { DiscountState } from "./discounts";
import { QuotePanel } from "./quote";

export interface DiscountValues {
  code: string;
  type: Discount["type"];
  percent: number | string;
  amountCents: string;
  currency: string;
  /** Of a new discount, somebody has to choose. */
  appliesTo: "all" | "some" | "";
  productIds: string[];
  roleIds: string[];
  customerIds: string[];
  isActive: boolean;
  startsAt: string;
  endsAt: string;
  usageLimit: number | string;
}

const localTime = (at: string | null | undefined) => (at ? shopTime(at) : "");

function valuesOf(discount: Discount | null): DiscountValues {
  return {
    code: discount?.code ?? "",
    type: discount?.type ?? "PERCENT",
    percent: discount?.percent ?? "",
    amountCents: discount?.amountCents ? moneyInput(discount.amountCents, discount.currency ?? shopCurrency()) : "",
    currency: discount?.currency ?? "",
    appliesTo: discount ? (discount.scope.appliesToAll ? "all" : "some") : "",
    productIds: discount?.scope.productIds ?? [],
    roleIds: discount?.scope.roleIds ?? [],
    customerIds: discount?.scope.customerIds ?? [],
    isActive: discount?.lifecycle.isActive ?? true,
    startsAt: localTime(discount?.lifecycle.startsAt),
    endsAt: localTime(discount?.lifecycle.endsAt),
    usageLimit: discount?.lifecycle.usageLimit ?? "",
  };
}

function bodyOf(values: DiscountValues) {
  const percent = values.type === "PERCENT";
  return {
    code: values.code.trim() || null,
    type: values.type,
    percent: percent ? Number(values.percent) : null,
    amountCents: percent ? null : parseMoney(values.amountCents, values.currency || shopCurrency()),
    currency: values.currency || null,
    scope: {
      appliesToAll: values.appliesTo === "all",
      productIds: values.productIds,
      roleIds: values.roleIds,
      customerIds: values.customerIds,
    },
    lifecycle: {
      isActive: values.isActive,
      startsAt: values.startsAt ? instantOf(values.startsAt) : null,
      endsAt: values.endsAt ? instantOf(values.endsAt) : null,
      usageLimit: values.usageLimit === "" ? null : Number(values.usageLimit),
    },
  } as unknown as Partial<Discount>;
}

export function DiscountPage() {
  const id = useParams<{ id: string }>().id;
  const record = useRecord<Discount>("/api/data/discount", id, "/discounts");
  if (record.isNew) return <DiscountForm key="new" discount={null} record={record} />;
  if (!record.current.data)
    return <Unavailable query={record.current} back={{ href: "/discounts", label: t("discounts.title") }} />;
  const discount = record.current.data.record;
  return <DiscountForm key={discount.updatedAt} discount={discount} record={record} />;
}

function DiscountForm({
  discount,
  record,
}: {
  discount: Discount | null;
  record: ReturnType<typeof useRecord<Discount>>;
}) {
  const { may } = useSession();
  const [deleting, setDeleting] = useState(false);
  const readOnly = !may("data.write");
  const form = useForm<DiscountValues>({
    initialValues: valuesOf(discount),
    validate: {
      // One that has none, which a program has made, may stay so.
      code: (code) => (code.trim() === "" && (!discount || discount.code) ? t("discounts.codeMissing") : null),
      percent: (percent, values) =>
        values.type === "PERCENT" && percent === "" ? t("discounts.percentMissing") : null,
      appliesTo: (appliesTo, values) => {
        if (appliesTo === "") return t("discounts.scopeMissing");
        const limited = values.productIds.length + values.roleIds.length + values.customerIds.length > 0;
        return appliesTo === "some" && !limited ? t("discounts.limitMissing") : null;
      },
      amountCents: (text, values) =>
        values.type === "AMOUNT" && parseMoney(text, values.currency || shopCurrency()) === null
          ? amountWrong(values.currency || shopCurrency())
          : null,
    },
  });
  const limitTo = (list: "productIds" | "roleIds" | "customerIds") => (ids: string[]) => {
    form.setFieldValue(list, ids);
    form.clearFieldError("appliesTo");
  };
  const name = discount?.code ?? t("discounts.noCode");
  return (
    <>
      <PageHead
        back={{ href: "/discounts", label: t("discounts.title") }}
        title={discount ? name : t("discounts.add")}
        status={discount && <DiscountState discount={discount} />}
        actions={
          discount && (
            <GuardedButton allowed={!readOnly} variant="default" onClick={() => setDeleting(true)}>
              {t("discounts.delete")}
            </GuardedButton>
          )
        }
      />
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: discount ? 7 : 12 }}>
          <FormPage
            form={form}
            isNew={record.isNew}
            disabled={readOnly}
            save={(values) =>
              record.isNew ? record.create(bodyOf(values)) : record.change(bodyOf(values), bodyOf(valuesOf(discount)))
            }
          >
            <Paper component="fieldset" disabled={readOnly}>
              <Stack>
                <TextInput
                  label={t("discounts.code")}
                  description={t("discounts.codeText")}
                  required={!discount || Boolean(discount.code)}
                  {...form.getInputProps("code")}
                />
                <SegmentedControl
                  aria-label={t("discounts.type")}
                  data={[
                    { value: "PERCENT", label: t("discounts.percent") },
                    { value: "AMOUNT", label: t("discounts.amount") },
                  ]}
                  {...form.getInputProps("type")}
                />
                {form.values.type === "PERCENT" ? (
                  <NumberInput
                    label={t("discounts.percent")}
                    min={1}
                    max={100}
                    decimalScale={2}
                    suffix=" %"
                    required
                    {...form.getInputProps("percent")}
                  />
                ) : (
                  <Group grow align="flex-start">
                    <TextInput
                      label={t("discounts.amount")}
                      inputMode="decimal"
                      required
                      {...form.getInputProps("amountCents")}
                    />
                    <SearchSelect
                      label={t("products.currency")}
                      description={t("discounts.currencyText")}
                      clearable
                      data={currencies}
                      {...form.getInputProps("currency")}
                    />
                  </Group>
                )}
              </Stack>
            </Paper>
            <Paper component="fieldset" disabled={readOnly}>
              <Title order={2} fz={16} mb="sm">
                {t("discounts.scope")}
              </Title>
              <Stack>
                <Radio.Group
                  errorProps={{ mt: 6 }}
                  aria-label={t("discounts.scope")}
                  {...form.getInputProps("appliesTo")}
                >
                  <Group>
                    <Radio value="all" label={t("discounts.everything")} />
                    <Radio value="some" label={t("discounts.limited")} />
                  </Group>
                </Radio.Group>
                {form.values.appliesTo === "some" && (
                  <>
                    <RecordsSelect
                      kind="product"
                      label={t("discounts.ofProducts")}
                      value={form.values.productIds}
                      onChange={limitTo("productIds")}
                    />
                    <RoleSelect
                      label={t("discounts.ofRoles")}
                      value={form.values.roleIds}
                      onChange={limitTo("roleIds")}
                    />
                    <RecordsSelect
                      kind="customer"
                      label={t("discounts.ofCustomers")}
                      value={form.values.customerIds}
                      onChange={limitTo("customerIds")}
                    />
                  </>
                )}
              </Stack>
            </Paper>
            <Paper component="fieldset" disabled={readOnly}>
              <Title order={2} fz={16} mb="sm">
                {t("discounts.time")}
              </Title>
              <Stack>
                <Switch label={t("discounts.active")} {...form.getInputProps("isActive", { type: "checkbox" })} />
                <Group grow align="flex-start">
                  <TextInput type="datetime-local" label={t("discounts.starts")} {...form.getInputProps("startsAt")} />
                  <TextInput type="datetime-local" label={t("discounts.ends")} {...form.getInputProps("endsAt")} />
                </Group>
                <NumberInput
                  label={t("discounts.limit")}
                  description={t("discounts.limitText")}
                  min={1}
                  allowDecimal={false}
                  {...form.getInputProps("usageLimit")}
                />
              </Stack>
            </Paper>
            <DiscountSummary values={form.values} />
          </FormPage>
        </Grid.Col>
        {discount && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              {discount.code && <QuotePanel code={discount.code} />}
              <Metadata path={record.path} metadata={discount.metadata} allowed={!readOnly} dirty={form.isDirty()} />
            </Stack>
          </Grid.Col>
        )}
      </Grid>
      {deleting && discount && (
        <ConfirmDialog
          danger
          typed={discount.code ?? name}
          title={t("discounts.delete")}
          text={t("discounts.deleteText", { name })}
          button={t("discounts.delete")}
          run={record.remove}
          close={() => setDeleting(false)}
        />
      )}
      {record.conflict && (
        <ConflictDialog
          conflict={record.conflict}
          labels={{
            code: t("discounts.code"),
            percent: t("discounts.percent"),
            scope: t("discounts.scope"),
            lifecycle: t("discounts.time"),
          }}
        />
      )}
    </>
  );
}
