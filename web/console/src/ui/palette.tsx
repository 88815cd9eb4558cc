// The command palette: finds pages, open orders and customers.
import { Modal, NavLink, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconReceipt, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, type OpenOrdersPage } from "../api";
import { menu } from "../navigation";
import { useSession } from "../session";
import { t } from "../text";

export function Palette({ close }: { close: () => void }) {
  const { may } = useSession();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [settled] = useDebouncedValue(text.trim(), 150);
  const orders = useQuery({
    queryKey: ["palette-orders", settled],
    queryFn: ({ signal }) => api.get<OpenOrdersPage>("/api/data/order/open", { query: { search: settled, pageSize: 6 }, signal }),
    enabled: settled !== "" && may("admin.access"),
  });
  const wanted = text.trim().toLowerCase();
  const results = [
    ...menu
      .flatMap((group) => group.entries)
      .filter((entry) => may(entry.permission) && t(entry.title).toLowerCase().includes(wanted))
      .map((entry) => ({ key: entry.path, label: t(entry.title), description: "", icon: <entry.icon size={18} />, href: entry.path })),
    ...(settled === "" ? [] : (orders.data?.items ?? [])).map((order) => ({
      key: order.id,
      label: order.orderNumber,
      description: order.customerName,
      icon: <IconReceipt size={18} />,
      href: `/orders/${order.id}`,
    })),
  ];
  const open = (index: number) => {
    const result = results[index];
    if (!result) return;
    close();
    navigate(result.href);
  };
  return (
    <Modal opened onClose={close} withCloseButton={false} padding="xs" yOffset="10vh" centered={false} title={undefined} aria-label={t("search.open")}>
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
        {results.length === 0 && <Text c="dimmed" p="sm">{t("search.nothing")}</Text>}
      </Stack>
    </Modal>
  );
}
