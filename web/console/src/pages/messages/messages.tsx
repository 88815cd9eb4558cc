// What the shop tells buyers: which messages, by which medium, in which words.
import {
  Alert,
  Button,
  Group,
  Paper,
  Select,
  Skeleton,
  Stack,
  Switch,
  Tabs,
  Text,
  Title,
  UnstyledButton,
} from "@mantine/core";
import { useMediaQuery, useNetwork } from "@mantine/hooks";
import { IconChevronRight, IconMessageCircle, IconMail, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, type MessageKind, type MessageSettings } from "../../api";
import { useUrlState } from "../../lib/url-state";
import { t, type TextKey } from "../../text";
import { ErrorNotice, PageHead } from "../../ui/basics";
import { MessageLog } from "./message-log";
import { path, nameOf, useChange, localesOf, localeOption, Editor } from "./message-editor";

const groups: { title: TextKey; kinds: MessageKind[] }[] = [
  {
    title: "messages.orders",
    kinds: ["ORDER_RECEIVED", "ORDER_PAID", "ORDER_SHIPPED", "ORDER_DELIVERED", "ORDER_REFUNDED", "INVOICE_LINK"],
  },
  { title: "messages.roles", kinds: ["ROLE_GRANTED", "ROLE_DELAYED"] },
  { title: "messages.items", kinds: ["ITEM_DELIVERED"] },
  {
    title: "messages.memberships",
    kinds: ["MEMBERSHIP_ENDING", "MEMBERSHIP_RENEWED", "MEMBERSHIP_ENDED", "GIFT_RECEIVED"],
  },
];
const aboutOrders = groups.slice(0, 2).flatMap((group) => group.kinds);
/** Direct messages about orders and roles are off until the shop switches them on. */
const silent = (settings: MessageSettings) =>
  settings.kinds.every((each) => !each.direct || !aboutOrders.includes(each.kind));
export function MessagesPage() {
  const { values, change } = useUrlState(["tab"]);
  const tab = values.tab === "log" ? "log" : "texts";
  return (
    <>
      <PageHead title={t("messages.title")} />
      <Tabs value={tab} onChange={(chosen) => change({ tab: chosen === "log" ? "log" : "" })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="texts">{t("messages.texts")}</Tabs.Tab>
          <Tabs.Tab value="log">{t("messages.log")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="texts">
          <Texts />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <MessageLog />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** All kinds of messages with their switches, and the text of one of them. On a phone one after the other. */
function Texts() {
  const settings = useQuery({
    queryKey: [path],
    queryFn: () => api.read<MessageSettings>(path),
    refetchOnWindowFocus: false,
  });
  const { values, change } = useUrlState(["message"]);
  const wide = useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false });
  const kind = groups.flatMap((group) => group.kinds).find((each) => each === values.message) ?? null;
  const shown = kind ?? (wide ? "ORDER_PAID" : null);
  if (!settings.data)
    return settings.error ? (
      <ErrorNotice error={settings.error} retry={() => void settings.refetch()} />
    ) : (
      <Skeleton height={480} />
    );
  const { record, etag } = settings.data;
  const alone = !wide && kind !== null;
  return (
    <Group align="flex-start" gap="lg" wrap="nowrap">
      {!alone && (
        <Stack w={wide ? 400 : "100%"} flex="none">
          <Kinds settings={record} selected={shown} select={(message) => change({ message })} />
        </Stack>
      )}
      {shown && (
        <Stack flex={1} miw={0}>
          {alone && (
            <Button variant="default" size="xs" w="fit-content" onClick={() => change({ message: "" })}>
              {t("messages.all")}
            </Button>
          )}
          <Editor key={shown} settings={record} etag={etag} kind={shown} />
        </Stack>
      )}
    </Group>
  );
}

function Kinds({
  settings,
  selected,
  select,
}: {
  settings: MessageSettings;
  selected: MessageKind | null;
  select: (kind: MessageKind) => void;
}) {
  const change = useChange();
  const { online } = useNetwork();
  const disabled = change.busy || !online;
  return (
    <>
      {!settings.directAvailable && !settings.emailAvailable && <Alert color="yellow">{t("messages.noMedium")}</Alert>}
      {settings.directAvailable && silent(settings) && (
        <Alert color="blue">
          <Text size="sm" mb="xs">
            {t("messages.silent")}
          </Text>
          <Button
            size="xs"
            loading={change.busy}
            onClick={() => void change.run({ kinds: aboutOrders.map((kind) => ({ kind, direct: true })) })}
          >
            {t("messages.speak")}
          </Button>
        </Alert>
      )}
      {change.error && <ErrorNotice error={change.error} />}
      {groups.map((group) => (
        <Paper key={group.title} p={0}>
          <Group justify="space-between" px="md" pt="sm" pb={4} wrap="nowrap">
            <Title order={2} fz={16}>
              {t(group.title)}
            </Title>
            <Group gap={20} c="dimmed" wrap="nowrap" aria-hidden>
              <IconMessageCircle size={18} />
              <IconMail size={18} style={{ marginInline: 11 }} />
            </Group>
          </Group>
          {group.kinds.map((kind) => {
            const state = settings.kinds.find((each) => each.kind === kind);
            if (!state) return null;
            const own = settings.texts.some((text) => text.kind === kind);
            const active = kind === selected;
            return (
              <Group
                key={kind}
                justify="space-between"
                wrap="nowrap"
                px="md"
                py={6}
                bg={active ? "var(--mantine-primary-color-light)" : ""}
              >
                <UnstyledButton flex={1} miw={0} py={4} aria-current={active} onClick={() => select(kind)}>
                  <Group gap={6} wrap="nowrap">
                    <Text fw={active ? 600 : 400}>{nameOf(kind)}</Text>
                    {own && <IconPencil size={14} role="img" aria-label={t("messages.own")} />}
                    {selected === null && <IconChevronRight size={16} aria-hidden />}
                  </Group>
                </UnstyledButton>
                {(["direct", "email"] as const).map((medium) => (
                  <Switch
                    key={medium}
                    aria-label={t(`messages.${medium}Of` as TextKey, { kind: nameOf(kind) })}
                    checked={state[medium]}
                    disabled={disabled}
                    onChange={(event) => void change.run({ kinds: [{ kind, [medium]: event.currentTarget.checked }] })}
                  />
                ))}
              </Group>
            );
          })}
        </Paper>
      ))}
      <Paper>
        <Stack gap="sm">
          <Switch
            label={t("messages.instead")}
            description={t("messages.insteadText")}
            checked={settings.emailWhenRefused}
            disabled={disabled}
            onChange={(event) => void change.run({ emailWhenRefused: event.currentTarget.checked })}
          />
          <Select
            label={t("messages.locale")}
            description={t("messages.localeText")}
            data={localesOf(settings).map(localeOption)}
            value={settings.effectiveLocale}
            allowDeselect={false}
            disabled={disabled}
            onChange={(locale) => void change.run({ locale })}
          />
        </Stack>
      </Paper>
    </>
  );
}
