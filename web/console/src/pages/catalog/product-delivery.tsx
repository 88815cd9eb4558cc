// What buyers of a product get: keys, links and texts.
import { ActionIcon, Anchor, Button, Group, Menu, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import {
  IconAlignLeft,
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconKey,
  IconLink,
  IconPencil,
  IconPlus,
  IconSparkles,
  IconTrash,
} from "@tabler/icons-react";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, type Deliverable, type DeliverablePage, type Product } from "../../api";
import { count, dateTime } from "../../lib/format";
import { changed } from "../../lib/refresh";
import { useSession } from "../../session";
import { t } from "../../text";
import { ErrorNotice, GuardedButton } from "../../ui/basics";
import { DeliveredParts } from "../../ui/delivered-parts";
import { ConfirmDialog } from "../../ui/dialogs";
import { attempt } from "../../ui/form";
import { StatusMark } from "../../ui/marks";
import { Modal } from "../../ui/modal";
import { contentQuery, DeliverableDialog, deliverablePath, deliverablesPath, hasKeys } from "./deliverable-dialog";
import { AddKeysDialog } from "./delivery-key-upload";

const icons = { KEY_POOL: IconKey, KEY_GENERATED: IconSparkles, LINK: IconLink, TEXT: IconAlignLeft };
const fewKeys = 5;

export const deliverablesQuery = (productId: string) => ({
  queryKey: [deliverablesPath(productId)],
  queryFn: () => api.get<DeliverablePage>(deliverablesPath(productId)).then((page) => page.items),
});

interface Open {
  dialog: "edit" | "remove" | "keys" | "preview";
  deliverable: Deliverable | null;
}

/** Everything here is stored at once, so that it waits for changes of the product that are not saved yet (`dirty`). */
export function ProductDelivery({ product, dirty }: { product: Product; dirty: boolean }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const list = useQuery(deliverablesQuery(product.id));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const write = may("data.write");
  const guard = { allowed: write && !dirty, ...(write && { reason: t("deliverables.saveFirst") }) };
  const refresh = () => changed(queries, "deliverable");
  const items = list.data ?? [];
  const move = async (from: number, to: number) => {
    const order = [...items];
    order.splice(to, 0, ...order.splice(from, 1));
    for (const [position, each] of order.entries())
      if (position !== each.position) await api.patch(deliverablePath(each), { position });
    await refresh();
  };
  return (
    <Paper component="section" maw={640} mt="md" aria-label={t("deliverables.title")}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Title order={2} fz={16}>
          {t("deliverables.title")}
        </Title>
        <GuardedButton
          {...guard}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setOpen({ dialog: "edit", deliverable: null })}
        >
          {t("deliverables.add")}
        </GuardedButton>
      </Group>
      {list.error && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={48} />}
      {list.data && (
        <Text size="sm" c="dimmed">
          {t(items.length === 0 ? "deliverables.empty" : "deliverables.text")}{" "}
          {items.length > 0 && write && (
            <Anchor component="button" size="sm" onClick={() => setOpen({ dialog: "preview", deliverable: null })}>
              {t("deliverables.preview")}
            </Anchor>
          )}
        </Text>
      )}
      <Stack gap="md" mt={items.length > 0 ? "md" : 0}>
        {items.map((item, index) => (
          <DeliverableRow
            key={item.id}
            item={item}
            guard={guard}
            open={(dialog) => setOpen({ dialog, deliverable: item })}
            moves={[
              { to: index - 1, label: t("deliverables.up"), Icon: IconArrowUp },
              { to: index + 1, label: t("deliverables.down"), Icon: IconArrowDown },
            ]
              .filter(({ to }) => to >= 0 && to < items.length)
              .map((each) => ({ ...each, run: () => void attempt(() => move(index, each.to)) }))}
          />
        ))}
      </Stack>
      {open?.dialog === "edit" && (
        <DeliverableDialog
          product={product}
          deliverable={open.deliverable}
          others={items.filter((each) => each.id !== open.deliverable?.id)}
          changed={refresh}
          close={close}
        />
      )}
      {open?.dialog === "remove" && open.deliverable && (
        <RemoveDialog deliverable={open.deliverable} changed={refresh} close={close} />
      )}
      {open?.dialog === "keys" && open.deliverable && <AddKeysDialog deliverable={open.deliverable} close={close} />}
      {open?.dialog === "preview" && <Preview items={items} close={close} />}
    </Paper>
  );
}

interface RowProps {
  item: Deliverable;
  guard: { allowed: boolean; reason?: string };
  open: (dialog: Open["dialog"]) => void;
  moves: { label: string; Icon: typeof IconArrowUp; run: () => void }[];
}

function DeliverableRow({ item, guard, open, moves }: RowProps) {
  const Icon = icons[item.kind];
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm" className="deliverable">
      <Text span c="dimmed" pt={2} flex="none">
        <Icon size={18} aria-hidden />
      </Text>
      <Stack gap={4} flex={1} miw={0} align="flex-start">
        <Text fw={600} className="break-anywhere">
          {item.name}
        </Text>
        <Text size="sm" c="dimmed">
          {[
            t(`deliverableKind.${item.kind}`),
            item.availableAt && t("deliverables.from", { date: dateTime(item.availableAt) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
        {hasKeys(item.kind) && <KeyCounts item={item} />}
        {item.kind === "KEY_POOL" && (
          <GuardedButton {...guard} size="compact-sm" variant="light" mt={4} onClick={() => open("keys")}>
            {t("deliveryKeys.add")}
          </GuardedButton>
        )}
      </Stack>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            flex="none"
            disabled={!guard.allowed}
            aria-label={t("deliverables.more", { name: item.name })}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open("edit")}>
            {t("deliverables.editOne")}
          </Menu.Item>
          {moves.map(({ label, Icon: Arrow, run }) => (
            <Menu.Item key={label} leftSection={<Arrow size={16} />} onClick={run}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => open("remove")}>
            {t("deliverables.remove")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** The server counts up to 10,000. */
const atLeast = (keys: number) => (keys < 10_000 ? count(keys) : `${count(10_000)}+`);

export function countsOf({ kind, freeKeys, soldKeys }: Deliverable): string {
  const key = kind === "KEY_POOL" ? "deliveryKeys.counts" : "deliveryKeys.sold";
  return t(key, { free: atLeast(freeKeys), sold: atLeast(soldKeys) });
}

/** How many keys are free and sold, with a link to them and a word when few are left. */
function KeyCounts({ item }: { item: Deliverable }) {
  const pool = item.kind === "KEY_POOL";
  return (
    <Group gap="xs">
      <Text size="sm">
        {countsOf(item)} · <Link href={`/products/${item.productId}/keys/${item.id}`}>{t("deliveryKeys.show")}</Link>
      </Text>
      {pool && item.freeKeys <= fewKeys && (
        <StatusMark tone={item.freeKeys === 0 ? "bad" : "waiting"}>
          {item.freeKeys === 0 ? t("deliveryKeys.none") : t("deliveryKeys.few", { count: item.freeKeys })}
        </StatusMark>
      )}
    </Group>
  );
}

interface RemoveProps {
  deliverable: Deliverable;
  changed: () => Promise<unknown>;
  close: () => void;
}

function RemoveDialog({ deliverable, changed: refresh, close }: RemoveProps) {
  return (
    <ConfirmDialog
      danger
      title={t("deliverables.removeTitle", { name: deliverable.name })}
      text={t(hasKeys(deliverable.kind) ? "deliverables.removeKeysText" : "deliverables.removeText", {
        count: atLeast(deliverable.freeKeys),
      })}
      button={t("deliverables.remove")}
      run={async () => {
        await api.delete(deliverablePath(deliverable));
        await refresh();
      }}
      close={close}
    />
  );
}

/** The delivery as buyers see it, with examples in the place of keys. */
function Preview({ items, close }: { items: Deliverable[]; close: () => void }) {
  const contents = useQueries({ queries: items.map(contentQuery) });
  const error = contents.find((each) => each.error)?.error;
  const sample = (item: Deliverable, index: number) => {
    if (item.kind === "KEY_POOL") return t("deliverables.previewKey");
    if (item.kind !== "KEY_GENERATED") return contents[index]?.data ?? "";
    const letters = "7KQ2M9RD4HTP";
    return item.pattern?.replace(/X/g, (_, at: number) => letters[at % 12]!) ?? t("deliverables.previewSigned");
  };
  return (
    <Modal onClose={close} title={t("deliverables.previewTitle")}>
      {error ? (
        <ErrorNotice error={error} />
      ) : contents.some((each) => each.isPending) ? (
        <Skeleton height={120} />
      ) : (
        <DeliveredParts
          parts={items.map((item, index) => {
            const later = item.availableAt && Date.parse(item.availableAt) > Date.now() ? item.availableAt : null;
            return {
              name: item.name,
              kind: item.kind === "KEY_POOL" || (hasKeys(item.kind) && !item.pattern) ? "TEXT" : item.kind,
              values: later ? [] : [sample(item, index)],
              availableAt: later,
            };
          })}
        />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {t("action.close")}
        </Button>
      </Group>
    </Modal>
  );
}
