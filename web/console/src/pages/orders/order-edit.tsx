// Changing the items, the discount and the buyer of an order. The server computes the price again.
import { ActionIcon, Button, Group, NumberInput, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, type Order, type Product } from "../../api";
import { money, moneyInput, parseMoney } from "../../lib/format";
import { orderChanged } from "../../lib/refresh";
import { useVersions } from "../../lib/versions";
import { t } from "../../text";
import { ConflictDialog } from "../../ui/dialogs";
import { amountWrong, FormPage, notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";
import { RecordSelect } from "../../ui/record-select";
import { addressKeys, addressOf, addressValues, AddressFields } from "./order-address";

interface Line {
  productId: string;
  name: string;
  sku: string;
  quantity: number | string;
  price: string;
}

function valuesOf(order: Order) {
  return {
    items: order.items.map(
      (item): Line => ({
        productId: item.productId,
        name: item.name,
        sku: item.sku,
        quantity: item.quantity,
        price: moneyInput(item.unitPriceCents, order.currency),
      }),
    ),
    name: order.customer.name,
    email: order.customer.email ?? "",
    discountCode: order.discountCode ?? "",
    ...addressValues(order.shippingAddress),
  };
}
type Values = ReturnType<typeof valuesOf>;

/** Only what the person has changed is sent, so that nothing else is computed again. */
function changesOf(order: Order, values: Values): Record<string, unknown> {
  const before = valuesOf(order);
  const differs = (...keys: (keyof Values)[]) =>
    keys.some((key) => JSON.stringify(before[key]) !== JSON.stringify(values[key]));
  return {
    ...(differs("items") && {
      items: values.items.map((line) => ({
        productId: line.productId,
        name: line.name,
        sku: line.sku,
        quantity: Number(line.quantity),
        unitPriceCents: parseMoney(line.price, order.currency),
        currency: order.currency,
      })),
    }),
    ...(differs("name", "email") && {
      customer: { ...order.customer, name: values.name, email: values.email || null },
    }),
    ...(differs("discountCode") && { discountCode: values.discountCode || null }),
    ...(differs(...addressKeys) && { shippingAddress: addressOf(values, order.shippingAddress) }),
  };
}

export function EditDialog({
  order,
  etag,
  path,
  close,
}: {
  order: Order;
  etag: string;
  path: string;
  close: () => void;
}) {
  const queries = useQueryClient();
  const form = useForm<Values>({
    initialValues: valuesOf(order),
    validate: {
      items: { price: (text) => (parseMoney(text, order.currency) === null ? amountWrong(order.currency) : null) },
    },
  });
  const versions = useVersions<Order>(path, async (changes, version) => {
    queries.setQueryData([path], await api.patch<Order>(path, changes, { ifMatch: version }));
    await orderChanged(queries);
    notifySaved();
    close();
  });
  const add = async (id: string) => {
    if (id === "") return;
    const product = await api.get<Product>(`/api/data/product/${encodeURIComponent(id)}`);
    form.insertListItem("items", {
      productId: product.id,
      name: product.name,
      sku: product.sku,
      quantity: 1,
      price: moneyInput(product.priceCents, order.currency),
    });
  };
  const subtotal = form.values.items.reduce(
    (sum, line) => sum + (parseMoney(line.price, order.currency) ?? 0) * Number(line.quantity),
    0,
  );
  return (
    <Modal
      onClose={close}
      title={t("order.editTitle", { number: order.orderNumber })}
      size={690}
      closeOnClickOutside={!form.isDirty()}
    >
      <FormPage
        form={form}
        save={(values) => versions.save(changesOf(order, values) as Partial<Order>, etag, { base: order })}
      >
        <Paper>
          <Title order={2} fz={16} mb="sm">
            {t("order.items")}
          </Title>
          <Stack>
            {form.values.items.map((line, index) => (
              <Stack key={index} gap={4}>
                <Text fw={600} className="break-anywhere">
                  {line.name}{" "}
                  <Text span c="dimmed" size="sm">
                    {line.sku}
                  </Text>
                </Text>
                <Group align="flex-end" wrap="nowrap">
                  <NumberInput
                    flex={1}
                    label={t("order.quantity")}
                    min={1}
                    allowDecimal={false}
                    {...form.getInputProps(`items.${index}.quantity`)}
                  />
                  <TextInput
                    flex={1}
                    label={t("order.unitPrice")}
                    inputMode="decimal"
                    {...form.getInputProps(`items.${index}.price`)}
                  />
                  <ActionIcon
                    variant="default"
                    size={36}
                    aria-label={t("newOrder.remove")}
                    disabled={form.values.items.length === 1}
                    onClick={() => form.removeListItem("items", index)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </Stack>
            ))}
            <RecordSelect
              key={form.values.items.length}
              kind="product"
              label={t("newOrder.addItem")}
              value=""
              onChange={(id) => void add(id)}
            />
            <TextInput label={t("newOrder.discount")} {...form.getInputProps("discountCode")} />
            <Group justify="space-between">
              <Text>{t("order.subtotal")}</Text>
              <Text fw={600} className="numeric">
                {money(subtotal, order.currency)}
              </Text>
            </Group>
          </Stack>
        </Paper>
        <Paper>
          <Title order={2} fz={16} mb="sm">
            {t("orders.customer")}
          </Title>
          <Stack>
            <TextInput label={t("newOrder.customer")} required {...form.getInputProps("name")} />
            <TextInput label={t("customer.email")} type="email" {...form.getInputProps("email")} />
          </Stack>
        </Paper>
        <AddressFields inputProps={(field) => form.getInputProps(field)} />
        {!form.isDirty() && (
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.close")}
            </Button>
          </Group>
        )}
      </FormPage>
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{
            items: t("order.items"),
            customer: t("orders.customer"),
            discountCode: t("newOrder.discount"),
            shippingAddress: t("order.address"),
          }}
          show={(value) => showValue(value, order.currency)}
        />
      )}
    </Modal>
  );
}

function showValue(value: unknown, currency: string): string {
  if (Array.isArray(value))
    return (value as Order["items"])
      .map((item) => `${item.quantity} × ${item.name} · ${money(item.unitPriceCents, currency)}`)
      .join("; ");
  if (typeof value === "object" && value !== null) return Object.values(value).filter(Boolean).join(", ");
  return String(value ?? "–");
}
