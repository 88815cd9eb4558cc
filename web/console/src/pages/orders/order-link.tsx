// The link with which the buyer pays: sent by direct message or e-mail, or copied.
import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { IconLink, IconMail, IconMessageCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Customer, type InvoiceLink, type LoggedMessage, type MessageSettings, type Order } from "../../api";
import { useAction } from "../../lib/action";
import { t } from "../../text";
import { Copyable, ErrorNotice, When } from "../../ui/basics";
import { notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";
import { QrCode } from "../../ui/qr-code";

type Medium = LoggedMessage["medium"];

/** By which media the buyer can be reached, as far as the order, the customer and the server say. */
function useReach(order: Order): Record<Medium, boolean> {
  const settings = useQuery({
    queryKey: ["/api/admin/messages"],
    queryFn: () => api.read<MessageSettings>("/api/admin/messages"),
  });
  const id = order.customerId;
  const customer = useQuery({
    queryKey: ["/api/data/customer", id],
    queryFn: () => api.get<Customer>(`/api/data/customer/${encodeURIComponent(id ?? "")}`),
    enabled: Boolean(id),
    retry: false,
  });
  const has = settings.data?.record;
  return {
    DIRECT: Boolean(has?.directAvailable && (order.customer.chatId || customer.data?.chatId)),
    EMAIL: Boolean(has?.emailAvailable && (order.customer.email || customer.data?.email)),
  };
}

export function LinkDialog({ order, close }: { order: Order; close: () => void }) {
  const path = `/api/orders/${encodeURIComponent(order.id)}/invoice-link`;
  const [days, setDays] = useState<number | string>(7);
  const [link, setLink] = useState<InvoiceLink | null>(null);
  const reach = useReach(order);
  const expiresInSeconds = Math.max(1, Number(days) || 7) * 86_400;
  const make = useAction(async () => setLink(await api.post<InvoiceLink>(path, { expiresInSeconds })));
  const send = useAction(async (medium: Medium) => {
    await api.post(`${path}/send`, { media: [medium], expiresInSeconds });
    notifySaved(t(medium === "DIRECT" ? "link.sentDirect" : "link.sentEmail", { name: order.customer.name }));
    close();
  });
  const error = make.error ?? send.error;
  return (
    <Modal onClose={close} title={t("order.link")}>
      <Stack>
        <Text>{t("link.text", { name: order.customer.name })}</Text>
        {link === null ? (
          <>
            <NumberInput
              label={t("link.days")}
              min={1}
              max={365}
              allowDecimal={false}
              value={days}
              onChange={setDays}
            />
            {error && <ErrorNotice error={error} />}
            <Group grow preventGrowOverflow={false} gap="xs">
              <Button
                disabled={!reach.DIRECT}
                loading={send.busy}
                leftSection={<IconMessageCircle size={16} />}
                onClick={() => void send.run("DIRECT")}
              >
                {t("link.direct")}
              </Button>
              <Button
                disabled={!reach.EMAIL}
                loading={send.busy}
                leftSection={<IconMail size={16} />}
                onClick={() => void send.run("EMAIL")}
              >
                {t("link.email")}
              </Button>
              <Button
                variant="default"
                loading={make.busy}
                leftSection={<IconLink size={16} />}
                onClick={() => void make.run()}
              >
                {t("link.copy")}
              </Button>
            </Group>
            {!reach.DIRECT && !reach.EMAIL && (
              <Text size="sm" c="dimmed">
                {t("link.unreachable", { name: order.customer.name })}
              </Text>
            )}
          </>
        ) : (
          <>
            <Copyable text={link.url} />
            <QrCode text={link.url} label={t("link.qr")} />
            <Text size="sm" c="dimmed">
              {t("link.expires")} <When at={link.expiresAt} />
            </Text>
          </>
        )}
      </Stack>
    </Modal>
  );
}
