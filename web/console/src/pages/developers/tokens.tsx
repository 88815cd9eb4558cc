// API tokens: a program acts with some of its maker's rights.
import { Button, Checkbox, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Page } from "@guildhall/client";
import { api, type ApiToken, type CreatedApiToken, type PermissionList } from "../../api";
import { useDraft } from "../../lib/drafts";
import { rightName } from "../../lib/roles";
import { instantOf } from "../../lib/shop";
import { useSession } from "../../session";
import { t, textOr } from "../../text";
import { Copyable, ErrorNotice, GuardedButton, PageHead, When } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";
import { AllowedOrigins } from "./allowed-origins";

const path = "/api/admin/tokens";

export function TokensPage() {
  return (
    <>
      <PageHead title={t("tokens.title")} />
      <Stack maw={640}>
        <Tokens />
        <AllowedOrigins />
      </Stack>
    </>
  );
}

export function Tokens() {
  const { session } = useSession();
  const queries = useQueryClient();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiToken | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const tokens = useQuery({
    queryKey: [path],
    queryFn: () => api.get<Page<ApiToken>>(path, { query: { limit: 100 } }),
  });
  const own = tokens.data?.items.filter((token) => token.userId === session.user.userId);
  const refresh = () => queries.invalidateQueries({ queryKey: [path] });
  return (
    <Paper>
      <Group justify="space-between" mb={4}>
        <Title order={2} fz={16}>
          {t("tokens.own")}
        </Title>
        <GuardedButton
          allowed
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setMaking(true)}
        >
          {t("tokens.add")}
        </GuardedButton>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t("tokens.text")}
      </Text>
      {tokens.error && <ErrorNotice error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isPending && <Skeleton height={48} />}
      {own?.length === 0 && <Text c="dimmed">{t("tokens.empty")}</Text>}
      <Stack gap="sm">
        {own?.map((token) => (
          <Group key={token.id} justify="space-between">
            <div style={{ minWidth: 0 }}>
              <Text fw={600} className="break-anywhere">
                {token.name}
              </Text>
              <Text size="sm" c="dimmed" className="break-anywhere">
                {token.keys.map(rightName).join(", ")}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {t("tokens.used")} {token.lastUsedAt ? <When at={token.lastUsedAt} /> : t("never")}
                {token.apiVersion && <> · {t("tokens.version", { version: token.apiVersion })}</>}
                {token.expiresAt && (
                  <>
                    {" "}
                    · {t("account.ends")} <When at={token.expiresAt} />
                  </>
                )}
              </Text>
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={t("tokens.revokeLabel", { name: token.name })}
              onClick={() => setRevoking(token)}
            >
              {t("invite.revoke")}
            </Button>
          </Group>
        ))}
      </Stack>
      {making && (
        <NewTokenDialog
          close={() => setMaking(false)}
          made={(token) => {
            setMaking(false);
            setMade(token);
            void refresh();
          }}
        />
      )}
      {made && <MadeDialog token={made} close={() => setMade(null)} />}
      {revoking && (
        <ConfirmDialog
          danger
          title={t("tokens.revoke")}
          text={t("tokens.revokeText", { name: revoking.name })}
          button={t("tokens.revoke")}
          run={async () => {
            await api.delete(`${path}/${encodeURIComponent(revoking.id)}`);
            await refresh();
            notifySaved();
          }}
          close={() => setRevoking(null)}
        />
      )}
    </Paper>
  );
}

function NewTokenDialog({ close, made }: { close: () => void; made: (token: CreatedApiToken) => void }) {
  const { may } = useSession();
  const permissions = useQuery({
    queryKey: ["/api/admin/permissions"],
    queryFn: () => api.get<PermissionList>("/api/admin/permissions"),
  });
  const form = useForm({
    initialValues: { name: "", keys: ["data.read"], expires: "", apiVersion: "" },
    validate: {
      name: (name) => (name.trim() === "" ? t("tokens.nameMissing") : null),
      keys: (keys) => (keys.length === 0 ? t("tokens.keysMissing") : null),
    },
  });
  return (
    <Modal onClose={close} title={t("tokens.add")}>
      <FormPage
        form={form}
        isNew
        saveLabel={t("tokens.add")}
        save={async ({ name, keys, expires, apiVersion }) =>
          made(
            await api.post<CreatedApiToken>(path, {
              name: name.trim(),
              keys,
              expiresAt: expires === "" ? null : instantOf(`${expires}T00:00:00`),
              apiVersion: apiVersion || null,
            }),
          )
        }
      >
        <TextInput
          label={t("tokens.name")}
          description={t("tokens.nameText")}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Checkbox.Group label={t("account.rights")} description={t("tokens.keysText")} {...form.getInputProps("keys")}>
          <Stack gap="xs" mt="xs">
            {permissions.data?.items
              .filter((item) => may(item.key))
              .map((item) => (
                <Checkbox
                  key={item.key}
                  value={item.key}
                  label={rightName(item.key)}
                  description={textOr(`right.${item.key}`, textOr(`roleText.${item.key}`, item.meaning))}
                />
              ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          type="date"
          label={t("tokens.expires")}
          description={t("tokens.expiresText")}
          {...form.getInputProps("expires")}
        />
        <TextInput
          type="date"
          label={t("tokens.apiVersion")}
          description={t("tokens.apiVersionText")}
          {...form.getInputProps("apiVersion")}
        />
      </FormPage>
    </Modal>
  );
}

function MadeDialog({ token, close }: { token: CreatedApiToken; close: () => void }) {
  useDraft(true);
  return (
    <Modal
      onClose={close}
      title={t("tokens.madeTitle")}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{token.token ? t("tokens.madeText") : t("oneTimeLink.lost")}</Text>
        {token.token && <Copyable text={token.token} />}
        <Group justify="flex-end">
          <Button onClick={close}>{t("oneTimeLink.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
