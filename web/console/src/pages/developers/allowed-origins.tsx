// The web pages of other sites that may call the API with a token of the shop.
import { Paper, Skeleton, Text, Textarea, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ApiError, type ShopSettings } from "../../api";
import { useSettings } from "../../lib/settings";
import { useSession } from "../../session";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { ConflictDialog } from "../../ui/dialogs";
import { FormPage } from "../../ui/form";
import { useSettingsChange } from "../settings/shop-settings";

export function AllowedOrigins() {
  const settings = useSettings();
  if (settings.error) return <ErrorNotice error={settings.error} retry={() => void settings.refetch()} />;
  if (!settings.data) return <Skeleton height={160} />;
  return <OriginsForm key={settings.data.etag} settings={settings.data.record} etag={settings.data.etag} />;
}

function OriginsForm({ settings, etag }: { settings: ShopSettings; etag: string }) {
  const { may } = useSession();
  const { change, conflict } = useSettingsChange(etag);
  const form = useForm({ initialValues: { origins: settings.allowedOrigins.join("\n") } });
  const save = async ({ origins }: typeof form.values) => {
    const allowedOrigins = origins
      .split(/\s+/)
      .filter(Boolean)
      .map((origin) => origin.replace(/\/+$/, "").toLowerCase());
    try {
      return await change({ allowedOrigins });
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.details.length === 0) throw thrown;
      const wrong = thrown.details.map(({ field }) => allowedOrigins[Number(/\[(\d+)\]/.exec(field)?.[1])]);
      form.setFieldError(
        "origins",
        wrong.includes(undefined) ? t("origins.tooMany") : t("origins.wrong", { names: wrong.join(", ") }),
      );
      return false;
    }
  };
  return (
    <Paper>
      <FormPage form={form} disabled={!may("admin.access")} save={save}>
        <div>
          <Title order={2} fz={16} mb={4}>
            {t("origins.title")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("origins.text")}
          </Text>
        </div>
        <Textarea
          label={t("origins.label")}
          description={t("origins.help")}
          placeholder="https://shop.example.com"
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          autoCapitalize="none"
          disabled={!may("admin.access")}
          {...form.getInputProps("origins")}
        />
      </FormPage>
      {conflict && <ConflictDialog conflict={conflict} labels={{ allowedOrigins: t("origins.title") }} />}
    </Paper>
  );
}
