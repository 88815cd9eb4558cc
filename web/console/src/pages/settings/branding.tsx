// The shop's name, logo and accent colour. For the settings and the first run.
import {
  Alert,
  Button,
  ColorInput,
  FileButton,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPhoto } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { api, type Branding } from "../../api";
import { useAction } from "../../lib/action";
import { brandingPath, useBranding } from "../../lib/branding";
import { useVersions } from "../../lib/versions";
import { t } from "../../text";
import { ErrorNotice, sentenceOf } from "../../ui/basics";
import { ConflictDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";

export function BrandingCard({ saved }: { saved?: () => void }) {
  const branding = useBranding();
  if (branding.error) return <ErrorNotice error={branding.error} retry={() => void branding.refetch()} />;
  if (!branding.data) return <Skeleton height={300} />;
  return (
    <BrandingForm
      key={branding.data.etag}
      branding={branding.data.record}
      etag={branding.data.etag}
      {...(saved && { saved })}
    />
  );
}

function BrandingForm({ branding, etag, saved }: { branding: Branding; etag: string; saved?: () => void }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: branding.name ?? "", accentColor: branding.accentColor ?? "" } });
  const refresh = () =>
    Promise.all([
      ...[brandingPath, "/auth/tenants"].map((path) => queries.invalidateQueries({ queryKey: [path] })),
      queries.invalidateQueries({ queryKey: ["checklist"] }),
    ]);
  const {
    run: change,
    busy,
    error,
  } = useAction(async (action: () => Promise<unknown>) => {
    await action();
    await refresh();
    notifySaved();
  });
  const versions = useVersions<Branding>(brandingPath, async (changes, version) => {
    await api.put(brandingPath, changes, { ifMatch: version });
    await refresh();
    notifySaved();
    saved?.();
  });
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>
        {t("branding.title")}
      </Title>
      <Text c="dimmed" mb="sm">
        {t("branding.text")}
      </Text>
      <Stack gap="md">
        <Group>
          <Preview name={form.values.name} logo={branding.logo?.thumbnailUrl ?? null} color={form.values.accentColor} />
          <Stack gap={4}>
            <Group gap="xs">
              <FileButton
                accept="image/png,image/jpeg,image/webp"
                onChange={(file) => file && void change(() => api.put(`${brandingPath}/logo`, file))}
              >
                {(props) => (
                  <Button {...props} size="xs" variant="default" loading={busy} leftSection={<IconPhoto size={14} />}>
                    {t("branding.logo")}
                  </Button>
                )}
              </FileButton>
              {branding.logo && (
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  disabled={busy}
                  onClick={() => void change(() => api.delete(`${brandingPath}/logo`))}
                >
                  {t("branding.removeLogo")}
                </Button>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              {t("branding.logoText")}
            </Text>
          </Stack>
        </Group>
        {error && (
          <Alert color="red" role="alert">
            {sentenceOf(error)}
          </Alert>
        )}
        {versions.conflict && (
          <ConflictDialog
            conflict={versions.conflict}
            labels={{ name: t("branding.name"), accentColor: t("branding.accent") }}
          />
        )}
        <FormPage
          form={form}
          save={({ name, accentColor }) =>
            versions.save({ name: name.trim() || null, accentColor: accentColor || null }, etag, { base: branding })
          }
        >
          <TextInput
            label={t("branding.name")}
            description={t("branding.nameText")}
            placeholder={branding.shopName}
            maxLength={200}
            {...form.getInputProps("name")}
          />
          <ColorInput
            label={t("branding.accent")}
            description={t("branding.accentText")}
            placeholder="#3b5bdb"
            withEyeDropper={false}
            swatches={swatches}
            closeOnColorSwatchClick
            popoverProps={{ withinPortal: true }}
            {...form.getInputProps("accentColor")}
          />
        </FormPage>
      </Stack>
    </Paper>
  );
}

const swatches = ["#3b5bdb", "#0b7285", "#2b8a3e", "#e67700", "#c92a2a", "#862e9c", "#343a40"];

function Preview({ name, logo, color }: { name: string; logo: string | null; color: string }) {
  if (logo)
    return (
      <img
        src={logo}
        alt={t("branding.logoOf", { name })}
        width={64}
        height={64}
        style={{ objectFit: "cover", borderRadius: 12 }}
      />
    );
  return (
    <div
      aria-hidden
      style={{
        width: 64,
        height: 64,
        borderRadius: 12,
        background: /^#[0-9a-f]{6}$/i.test(color) ? color : "#3b5bdb",
        color: "#fff",
        fontSize: 28,
        fontWeight: 600,
        display: "grid",
        placeItems: "center",
      }}
    >
      {(name[0] ?? "G").toUpperCase()}
    </div>
  );
}
