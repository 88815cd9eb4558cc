import { ActionIcon, Button, Group, NumberInput, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, type Page } from "@guildhall/client";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, type Order, type Product } from "../api";
import { money } from "../lib/format";
import { shopCurrency, shopDay } from "../lib/shop";
import { t } from "../text";
import { ErrorNotice, PageHead } from "../ui/basics";
import { FormPage, notifySaved } from "../ui/form";

interface Line {
  productId: string;
  quantity: number;
}

/** Short, readable and new with every order: the date and six random letters. */
function suggestedNumber(): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const random = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => letters[byte % letters.length]).join("");
  return `${shopDay().slice(2).replaceAll("-", "")}-${random}`;
}

export function NewOrderPage() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [key] = useState(newIdempotencyKey);
  const products = useQuery({ queryKey: ["/api/data/product", "choices"], queryFn: () => api.get<Page<Product>>("/api/data/product", { query: { limit: 200 } }) });
  const form = useForm({ initialValues: { orderNumber: suggestedNumber(), name: "", email: "", discountCode: "", items: [{ productId: "", quantity: 1 }] as Line[] } });
  if (products.error) return <ErrorNotice error={products.error} retry={() => void products.refetch()} />;
  const choices = products.data?.items.filter((product) => product.isActive) ?? [];
  const chosen = (line: Line) => choices.find((product) => product.id === line.productId);
  const currency = form.values.items.map(chosen).find(Boolean)?.currency ?? shopCurrency();
  const subtotal = form.values.items.reduce((sum, line) => sum + (chosen(line)?.priceCents ?? 0) * line.quantity, 0);
  const save = async (values: typeof form.values) => {
    const items = values.items.flatMap((line) => {
      const product = chosen(line);
      return product ? [{ productId: product.id, name: product.name, sku: product.sku, quantity: line.quantity, unitPriceCents: product.priceCents, currency: product.currency }] : [];
    });
    const order = await api.post<Order>(
      "/api/data/order",
      { orderNumber: values.orderNumber, currency, customer: { name: values.name, email: values.email || null }, discountCode: values.discountCode || null, items },
      { idempotencyKey: key },
    );
    await queries.invalidateQueries();
    notifySaved(t("newOrder.done"));
    navigate(`/orders/${order.id}`);
  };
  return (
    <>
      <PageHead back={{ href: "/orders", label: t("orders.title") }} title={t("orders.add")} />
      <FormPage form={form} isNew saveLabel={t("newOrder.button", { amount: money(subtotal, currency) })} save={save}>
        <Paper>
          <Stack>
            <TextInput label={t("orders.number")} required {...form.getInputProps("orderNumber")} />
            <TextInput label={t("newOrder.customer")} required {...form.getInputProps("name")} />
            <TextInput label={t("customer.email")} type="email" {...form.getInputProps("email")} />
          </Stack>
        </Paper>
        <Paper>
          <Title order={2} fz={16} mb="sm">{t("order.items")}</Title>
          <Stack>
            {form.values.items.map((_, index) => (
              <Group key={index} align="flex-end" wrap="nowrap">
                <Select
                  style={{ flex: 1 }}
                  label={t("newOrder.product")}
                  searchable
                  required
                  data={choices.map((product) => ({ value: product.id, label: `${product.name} · ${money(product.priceCents, product.currency)}` }))}
                  {...form.getInputProps(`items.${index}.productId`)}
                />
                <NumberInput w={90} label={t("order.quantity")} min={1} allowDecimal={false} {...form.getInputProps(`items.${index}.quantity`)} />
                <ActionIcon variant="default" size={36} aria-label={t("newOrder.remove")} disabled={form.values.items.length === 1} onClick={() => form.removeListItem("items", index)}><IconTrash size={16} /></ActionIcon>
              </Group>
            ))}
            <Group justify="space-between">
              <Button variant="default" onClick={() => form.insertListItem("items", { productId: "", quantity: 1 })}>{t("newOrder.addItem")}</Button>
              <Text fw={600} className="numeric">{money(subtotal, currency)}</Text>
            </Group>
            <TextInput label={t("newOrder.discount")} {...form.getInputProps("discountCode")} />
          </Stack>
        </Paper>
      </FormPage>
    </>
  );
}
