// The part of the people page that invites: open invitations, and the dialog that makes one.
import { Button, Checkbox, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type CreatedInvitation, type Invitation, type PermissionList } from "../../api";
import { mayGive, rightName, roles } from "../../lib/roles";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, When } from "../../ui/basics";
import { ConfirmDialog, OneTimeLinkDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { Modal } from "../../ui/modal";
import { RightsInput } from "../../ui/rights-input";

const path = "/api/admin/invitations";

function invited(invitation: Invitation): string {
  return invitation.name ?? invitation.email ?? t("invite.anybody");
}

export function Invitations() {
  const queries = useQueryClient();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const revoke = async (invitation: Invitation) => {
    await api.delete(`${path}/${encodeURIComponent(invitation.id)}`);
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
  };
  return (
    <section aria-labelledby="invitations">
      <Title order={2} fz={16} mt="xl" mb="sm" id="invitations">
        {t("invite.open")}
      </Title>
      <CursorList<Invitation>
        label={t("invite.open")}
        path={path}
        columns={[
          { title: t("invite.for"), cell: invited },
          {
            title: t("invite.offers"),
            cell: (invitation) => invitation.keys.map(rightName).join(", ") || t("none"),
            phone: true,
          },
          { title: t("invite.expires"), cell: (invitation) => <When at={invitation.expiresAt} /> },
          {
            title: t("invite.action"),
            cell: (invitation) => (
              <Button
                size="xs"
                variant="default"
                aria-label={t("invite.revokeLabel", { name: invited(invitation) })}
                onClick={() => setRevoked(invitation)}
              >
                {t("invite.revoke")}
              </Button>
            ),
            phone: true,
          },
        ]}
        keyOf={(invitation) => invitation.id}
        empty={<Empty title={t("invite.empty")} text={t("invite.emptyText")} />}
      />
      {revoked && (
        <ConfirmDialog
          danger
          title={t("invite.revokeTitle")}
          text={t("invite.revokeText", { name: invited(revoked) })}
          button={t("invite.revokeTitle")}
          run={() => revoke(revoked)}
          close={() => setRevoked(null)}
        />
      )}
    </section>
  );
}

export function InviteDialog({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const { may } = useSession();
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  const permissions = useQuery({
    queryKey: ["/api/admin/permissions"],
    queryFn: () => api.get<PermissionList>("/api/admin/permissions"),
  });
  const form = useForm({ initialValues: { name: "", email: "", roles: [] as string[], keys: [] as string[] } });
  const others =
    permissions.data?.items.map((each) => each.key).filter((key) => may(key) && !roles.some((role) => role === key)) ??
    [];
  if (made) return <OneTimeLinkDialog title={t("invite.madeTitle")} made={made} close={close} />;
  return (
    <Modal onClose={close} title={t("invite.button")}>
      <FormPage
        form={form}
        isNew
        saveLabel={t("invite.make")}
        save={async (values) => {
          setMade(
            await api.post<CreatedInvitation>(path, {
              name: values.name.trim() || null,
              email: values.email.trim() || null,
              keys: [...values.roles, ...values.keys],
            }),
          );
          await queries.invalidateQueries({ queryKey: [path] });
        }}
      >
        <Text size="sm" c="dimmed">
          {t("invite.text")}
        </Text>
        <TextInput label={t("people.name")} data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label={t("customer.email")}
          description={t("invite.emailText")}
          type="email"
          {...form.getInputProps("email")}
        />
        <Checkbox.Group label={t("people.rights")} {...form.getInputProps("roles")}>
          <Stack gap="sm" mt="xs">
            {roles.map((role) => (
              <Checkbox
                key={role}
                value={role}
                label={t(`role.${role}`)}
                description={t(`roleText.${role}`)}
                disabled={!mayGive(may, role)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <RightsInput
          label={t("people.ownKeys")}
          description={t("people.ownKeysText")}
          offered={others}
          {...form.getInputProps("keys")}
        />
      </FormPage>
    </Modal>
  );
}
