// What an order would cost. The server computes it and stores nothing.
import { Button, Group, NumberInput, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { api, type Quote } from "../../api";
import { useAction } from "../../lib/action";
import { money } from "../../lib/format";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { RecordSelect } from "../../ui/record-select";
import { RoleSelect } from "../../ui/role-select";

export function QuotePanel({ code }: { code: string }) {
  const [items, setItems] = useState([{ productId: "", quantity: 1 }]);
  const [customerId, setCustomerId] = useState("");
  const [roleIds, setRoleIds] = useState<string[]>([]);
  const [quote, setQuote] = useState<Quote | null>(null);
  const chosen = items.filter((item) => item.productId !== "");
  const change = (index: number, changes: Partial<(typeof items)[number]>) =>
    setItems((before) => before.map((item, at) => (at === index ? { ...item, ...changes } : item)));
  const {
    run: ask,
    busy,
    error,
  } = useAction(async () => {
    setQuote(null);
    setQuote(
      await api.post<Quote>("/api/data/order/quote", {
        items: chosen,
        discountCode: code,
        customerId: customerId || null,
        customerRoleIds: roleIds,
      }),
    );
  });
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>
        {t("quote.title")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("quote.text", { code })}
      </Text>
      <Stack>
        {items.map((item, index) => (
          <Group key={index} align="flex-end" wrap="nowrap">
            <div style={{ flex: 1 }}>
              <RecordSelect
                kind="product"
                label={t("newOrder.product")}
                value={item.productId}
                onChange={(productId) => change(index, { productId })}
              />
            </div>
            <NumberInput
              w={84}
              label={t("order.quantity")}
              min={1}
              max={10_000}
              clampBehavior="strict"
              allowDecimal={false}
              value={item.quantity}
              onChange={(quantity) => change(index, { quantity: Number(quantity) || 1 })}
            />
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          disabled={items.length >= 20}
          onClick={() => setItems((before) => [...before, { productId: "", quantity: 1 }])}
        >
          {t("newOrder.addItem")}
        </Button>
        <RecordSelect
          kind="customer"
          label={t("orders.customer")}
          placeholder={t("filter.any")}
          value={customerId}
          onChange={setCustomerId}
        />
        <RoleSelect label={t("quote.roles")} value={roleIds} onChange={setRoleIds} />
        <Button disabled={chosen.length === 0} loading={busy} onClick={() => void ask()}>
          {t("quote.button")}
        </Button>
        <div role="status">
          {error && <ErrorNotice error={error} />}
          {quote && (
            <Stack gap={4}>
              {quote.steps.map((step, index) => (
                <Group key={index} justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
                  <Text size="sm" fw={step.kind === "TOTAL" ? 600 : 400}>
                    {step.kind === "TOTAL" ? t("orders.total") : step.text}
                  </Text>
                  <Text size="sm" fw={step.kind === "TOTAL" ? 600 : 400} className="numeric">
                    {money(step.amountCents, quote.currency)}
                  </Text>
                </Group>
              ))}
            </Stack>
          )}
        </div>
      </Stack>
    </Paper>
  );
}
