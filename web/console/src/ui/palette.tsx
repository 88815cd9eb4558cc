// The command palette: finds pages, actions, orders, customers and products.
import { NavLink, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconBox, IconPlus, IconReceipt, IconSearch, IconUsers } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { api, type Customer, type Order, type Product } from "../api";
import { money } from "../lib/format";
import { menu, ownPages } from "../navigation";
import { useSession } from "../session";
import { t, type TextKey } from "../text";
import { Modal } from "./modal";

interface Result {
  key: string;
  label: string;
  description?: string;
  icon: ReactNode;
  href: string;
  outside?: boolean;
}

const actions: [TextKey, string, string][] = [
  ["orders.add", "/orders/new", "data.write"],
  ["products.add", "/products/new", "data.write"],
  ["discounts.add", "/discounts/new", "data.write"],
  ["customers.add", "/customers/new", "data.write"],
  ["orders.toShip", "/orders?status=PAID%2CFULFILLING", "data.read"],
  ["payments.attention", "/payments?attention=true", "admin.access"],
];

function useRecords(search: string): Result[] {
  const { may } = useSession();
  const found = useQuery({
    queryKey: ["palette", search],
    enabled: search !== "" && may("data.read"),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Result[]> => {
      const list = <T,>(path: string) =>
        api.get<Page<T>>(path, { query: { search, limit: 5 }, signal }).then((page) => page.items);
      const [orders, customers, products] = await Promise.all([
        list<Order>("/api/data/order"),
        list<Customer>("/api/data/customer"),
        list<Product>("/api/data/product"),
      ]);
      return [
        ...orders.map((order) => ({
          key: order.id,
          label: order.orderNumber,
          description: `${order.customer.name} · ${money(order.totalCents, order.currency)}`,
          icon: <IconReceipt size={18} />,
          href: `/orders/${order.id}`,
        })),
        ...customers.map((customer) => ({
          key: customer.id,
          label: customer.chatDisplayName,
          description: customer.chatUsername,
          icon: <IconUsers size={18} />,
          href: `/customers/${customer.id}`,
        })),
        ...products.map((product) => ({
          key: product.id,
          label: product.name,
          description: product.sku,
          icon: <IconBox size={18} />,
          href: `/products/${product.id}`,
        })),
      ];
    },
  });
  return search === "" ? [] : (found.data ?? []);
}

export function Palette({ close }: { close: () => void }) {
  const { may } = useSession();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [settled] = useDebouncedValue(text.trim(), 150);
  const records = useRecords(settled);
  const wanted = text.trim().toLowerCase();
  const matches = (label: string) => label.toLowerCase().includes(wanted);
  const results: Result[] = [
    ...[...menu.flatMap((group) => group.entries), ...ownPages]
      .filter((entry) => (entry.permission === "" || may(entry.permission)) && matches(t(entry.title)))
      .map((entry) => ({
        key: entry.path,
        label: t(entry.title),
        icon: <entry.icon size={18} />,
        href: entry.path,
        ...(entry.outside && { outside: true }),
      })),
    ...actions
      .filter(([title, , permission]) => wanted !== "" && may(permission) && matches(t(title)))
      .map(([title, href]) => ({ key: href, label: t(title), icon: <IconPlus size={18} />, href })),
    ...records,
  ];
  const open = (index: number) => {
    const result = results[index];
    if (!result) return;
    close();
    if (result.outside) location.assign(result.href);
    else navigate(result.href);
  };
  return (
    <Modal
      onClose={close}
      withCloseButton={false}
      padding="xs"
      yOffset="10vh"
      centered={false}
      title={undefined}
      aria-label={t("search.open")}
    >
      <TextInput
        data-autofocus
        leftSection={<IconSearch size={18} />}
        placeholder={t("search.placeholder")}
        aria-label={t("search.placeholder")}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setChosen((at) => Math.min(at + 1, results.length - 1));
          else if (event.key === "ArrowUp") setChosen((at) => Math.max(at - 1, 0));
          else if (event.key === "Enter") open(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <Stack gap={0} mt="xs" mah="50vh" style={{ overflowY: "auto" }}>
        {results.map((result, index) => (
          <NavLink
            key={result.key}
            component="button"
            label={result.label}
            description={result.description}
            leftSection={result.icon}
            active={index === chosen}
            onClick={() => open(index)}
          />
        ))}
        {results.length === 0 && (
          <Text c="dimmed" p="sm">
            {t("search.nothing")}
          </Text>
        )}
      </Stack>
    </Modal>
  );
}
