import { ActionIcon, Group, NumberInput, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "@guildhall/client";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, type Customer, type Order, type Product } from "../../api";
import { useAction } from "../../lib/action";
import { money } from "../../lib/format";
import { orderChanged } from "../../lib/refresh";
import { shopCurrency, shopDay } from "../../lib/shop";
import { t } from "../../text";
import { PageHead } from "../../ui/basics";
import { FormPage, notifySaved } from "../../ui/form";
import { RecordSelect } from "../../ui/record-select";
import { addressOf, addressValues, AddressFields } from "./order-address";

interface Line {
  product: Product;
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
  const form = useForm({
    initialValues: {
      orderNumber: suggestedNumber(),
      customerId: "",
      chatId: "",
      name: "",
      email: "",
      discountCode: "",
      items: [] as Line[],
      ...addressValues(null),
    },
    validate: { items: (items) => (items.length === 0 ? t("newOrder.noItems") : null) },
  });
  const adding = useAction(async (id: string) => {
    if (id === "") return;
    const product = await api.get<Product>(`/api/data/product/${encodeURIComponent(id)}`);
    const other = form.values.items[0]?.product.currency ?? product.currency;
    if (other !== product.currency)
      throw new Error(t("newOrder.otherCurrency", { name: product.name, currency: product.currency, other }));
    form.insertListItem("items", { product, quantity: 1 });
    form.clearFieldError("items");
  });
  // A known customer's name and address are filled in; without one, the order is that of a guest.
  const choosing = useAction(async (id: string) => {
    if (id === "") return form.setValues({ customerId: "", chatId: "" });
    const customer = await api.get<Customer>(`/api/data/customer/${encodeURIComponent(id)}`);
    const address =
      customer.addresses.find((each) => each.addressId === customer.defaultAddressId) ?? customer.addresses[0];
    form.setValues({
      customerId: id,
      chatId: customer.chatId,
      name: customer.chatDisplayName,
      email: customer.email ?? "",
      ...addressValues(address),
    });
  });
  const currency = form.values.items[0]?.product.currency ?? shopCurrency();
  const subtotal = form.values.items.reduce((sum, line) => sum + line.product.priceCents * line.quantity, 0);
  const save = async (values: typeof form.values) => {
    const items = values.items.map(({ product, quantity }) => ({
      productId: product.id,
      name: product.name,
      sku: product.sku,
      quantity,
      unitPriceCents: product.priceCents,
      currency: product.currency,
    }));
    const order = await api.post<Order>(
      "/api/data/order",
      {
        orderNumber: values.orderNumber,
        currency,
        customerId: values.customerId || null,
        customer: { name: values.name, email: values.email || null, chatId: values.chatId || null },
        shippingAddress: addressOf(values),
        discountCode: values.discountCode || null,
        items,
      },
      { idempotencyKey: key },
    );
    await orderChanged(queries);
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
            <RecordSelect
              kind="customer"
              label={t("orders.customer")}
              description={t("newOrder.knownText")}
              placeholder={t("fund.customerSearch")}
              value={form.values.customerId}
              error={choosing.error?.message}
              onChange={(id) => void choosing.run(id)}
            />
            <TextInput label={t("newOrder.customer")} required {...form.getInputProps("name")} />
            <TextInput label={t("customer.email")} type="email" {...form.getInputProps("email")} />
          </Stack>
        </Paper>
        <Paper>
          <Title order={2} fz={16} mb="sm">
            {t("order.items")}
          </Title>
          <Stack>
            {form.values.items.map(({ product }, index) => (
              <Group key={`${product.id}-${index}`} align="flex-end" wrap="nowrap">
                <Text flex={1} component="div" className="break-anywhere">
                  {product.name}
                  <Text size="sm" c="dimmed">
                    {money(product.priceCents, product.currency)}
                  </Text>
                </Text>
                <NumberInput
                  w={90}
                  label={t("order.quantity")}
                  min={1}
                  allowDecimal={false}
                  {...form.getInputProps(`items.${index}.quantity`)}
                />
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label={t("newOrder.remove")}
                  onClick={() => form.removeListItem("items", index)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            ))}
            <RecordSelect
              key={form.values.items.length}
              kind="product"
              label={t("newOrder.product")}
              placeholder={t("newOrder.choose")}
              required
              value=""
              error={adding.error?.message ?? form.errors["items"]}
              onChange={(id) => void adding.run(id)}
            />
            <TextInput label={t("newOrder.discount")} {...form.getInputProps("discountCode")} />
            <Group justify="space-between">
              <Text>{t("order.subtotal")}</Text>
              <Text fw={600} className="numeric">
                {money(subtotal, currency)}
              </Text>
            </Group>
          </Stack>
        </Paper>
        <AddressFields inputProps={(field) => form.getInputProps(field)} />
      </FormPage>
    </>
  );
}
