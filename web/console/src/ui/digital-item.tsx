// A digital item that somebody has bought: why it waits, what the buyer sees, its keys and where they are used.
import { ActionIcon, Alert, Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconClock, IconEye, IconSend, IconTrash } from "@tabler/icons-react";
import type { Page } from "@guildhall/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, type ActivationPage, type DeliveredItem, type DeliveryKey, type Entitlement } from "../api";
import { useAction } from "../lib/action";
import { useName } from "../lib/names";
import { readAgain } from "../lib/refresh";
import { useSession } from "../session";
import { t, type TextKey } from "../text";
import { ErrorNotice, GuardedButton, When } from "./basics";
import { DeliveredParts } from "./delivered-parts";
import { ConfirmDialog } from "./dialogs";
import { hintOf, KeyAction, keyPath, keysPath, KeyStatus } from "./delivery-keys";
import { notifySaved } from "./form";
import { Modal } from "./modal";

/** The server's reasons why an item waits, in the language of the console. */
const reasons: Record<string, TextKey> = {
  "The pool of keys is empty.": "item.noKeyLeft",
  "The operator has not set SERVICE_MASTER_KEY.": "item.noMasterKey",
  "SERVICE_MASTER_KEY does not open the secret of the shop.": "item.noMasterKey",
  "An order gets at most 1,000 units of a digital product.": "item.tooMany",
};
const keysShown = 20;

export function reasonOf({ failureReason }: Entitlement): string | null {
  const key = reasons[failureReason ?? ""];
  return key ? t(key) : (failureReason ?? null);
}

/** Opens the delivery of a digital item; nothing for other entitlements. */
export function DigitalItemButton({ of: entitlement, mt = 0 }: { of: Entitlement; mt?: number }) {
  const [open, setOpen] = useState(false);
  if (entitlement.type !== "DIGITAL_ITEM") return null;
  return (
    <>
      <Button size="compact-sm" variant="default" mt={mt} onClick={() => setOpen(true)}>
        {t("item.open")}
      </Button>
      {open && <DigitalItemDialog entitlement={entitlement} close={() => setOpen(false)} />}
    </>
  );
}

function DigitalItemDialog({ entitlement, close }: { entitlement: Entitlement; close: () => void }) {
  const name = useName("product", entitlement.productId);
  const granted = entitlement.status === "GRANTED";
  const keys = useQuery({
    queryKey: [keysPath, "entitlement", entitlement.id],
    queryFn: () => api.get<Page<DeliveryKey>>(keysPath, { query: { entitlementId: entitlement.id, limit: keysShown } }),
  });
  return (
    <Modal onClose={close} title={t("item.title", { name: name ?? t("entitlements.item") })} size="lg">
      <Stack gap="lg">
        {!granted && entitlement.failureReason && (
          <Alert color="yellow" icon={<IconClock size={18} />} title={t("item.waits")}>
            {reasonOf(entitlement)} <Link href={`/products/${entitlement.productId}`}>{t("item.toProduct")}</Link>
          </Alert>
        )}
        {keys.isPending && <Skeleton height={96} />}
        {keys.error && <ErrorNotice error={keys.error} retry={() => void keys.refetch()} />}
        {/* When a key is replaced, what was shown is no longer what the buyer sees. */}
        {granted && !keys.isPending && (
          <Seen key={keys.data?.items.map(({ id, status }) => `${id} ${status}`).join()} entitlement={entitlement} />
        )}
        {keys.data && keys.data.items.length > 0 && (
          <Keys keys={keys.data.items} hasMore={Boolean(keys.data.nextCursor)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t("action.close")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Read only when somebody asks for it, since the audit trail notes it. */
function Seen({ entitlement }: { entitlement: Entitlement }) {
  const { may } = useSession();
  const write = may("data.write");
  const path = `/api/data/entitlement/${encodeURIComponent(entitlement.id)}/delivery`;
  const [seen, setSeen] = useState<DeliveredItem | null>(null);
  const look = useAction(async () => setSeen(await api.get<DeliveredItem>(path)));
  const [sending, setSending] = useState(false);
  const send = async () => {
    await api.post(`${path}/send`);
    notifySaved(t("item.sent"));
  };
  return (
    <Stack gap="xs" component="section" aria-label={t("item.seen")}>
      <Title order={3} fz={14}>
        {t("item.seen")}
      </Title>
      {seen ? (
        <DeliveredParts parts={seen.parts} />
      ) : (
        <Text size="sm" c="dimmed">
          {t("item.seenText")}
        </Text>
      )}
      {look.error && <ErrorNotice error={look.error} />}
      <Group gap="xs">
        {!seen && (
          <GuardedButton
            allowed={write}
            size="xs"
            variant="default"
            leftSection={<IconEye size={14} />}
            loading={look.busy}
            onClick={() => void look.run()}
          >
            {t("item.look")}
          </GuardedButton>
        )}
        <GuardedButton
          allowed={write}
          size="xs"
          variant="default"
          leftSection={<IconSend size={14} />}
          onClick={() => setSending(true)}
        >
          {t("item.send")}
        </GuardedButton>
      </Group>
      {sending && (
        <ConfirmDialog
          title={t("item.send")}
          text={t("item.sendText")}
          button={t("item.send")}
          run={send}
          close={() => setSending(false)}
        />
      )}
    </Stack>
  );
}

function Keys({ keys, hasMore }: { keys: DeliveryKey[]; hasMore: boolean }) {
  return (
    <Stack gap="sm" component="section" aria-label={t("deliveryKeys.list")}>
      <Title order={3} fz={14}>
        {t("deliveryKeys.list")}
      </Title>
      {keys.map((key) => (
        <div key={key.id}>
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              <Text className="numeric">{hintOf(key)}</Text>
              <KeyStatus value={key.status} />
              {key.assignedAt && (
                <Text size="xs" c="dimmed">
                  <When at={key.assignedAt} />
                </Text>
              )}
            </Group>
            <KeyAction of={key} />
          </Group>
          {key.status === "ASSIGNED" && <Computers of={key} />}
        </div>
      ))}
      {hasMore && (
        <Text size="sm" c="dimmed">
          {t("item.moreKeys", { count: keysShown })}
        </Text>
      )}
    </Stack>
  );
}

/** The computers that use a key. */
function Computers({ of: key }: { of: DeliveryKey }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const path = `${keyPath(key)}/activation`;
  const list = useQuery({
    queryKey: [path],
    queryFn: () => api.get<ActivationPage>(path).then((page) => page.items),
  });
  const end = useAction(async (id: string) => {
    await api.delete(`${path}/${encodeURIComponent(id)}`);
    await readAgain(queries, [path]);
    notifySaved(t("item.useEnded"));
  });
  return (
    <>
      {list.data?.map((computer) => {
        const name = computer.name || t("item.unnamed");
        return (
          <Group key={computer.id} gap="xs" wrap="nowrap">
            <Text size="sm" c="dimmed" className="break-anywhere" component="div">
              {t("item.usedOn", { name })} · <When at={computer.createdAt} />
            </Text>
            {may("data.write") && (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t("item.endUseOf", { name })}
                loading={end.busy}
                onClick={() => void end.run(computer.id)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        );
      })}
      {(list.error ?? end.error) && <ErrorNotice error={(list.error ?? end.error)!} />}
    </>
  );
}
