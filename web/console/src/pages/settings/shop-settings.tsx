// Currency, time zone and order expiry. For the settings and the first run.
import { NumberInput, Paper, Skeleton, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import type { Versioned } from "@guildhall/client";
import { api, type ShopSettings } from "../../api";
import { currencyChoices, likelyCurrency, timeZoneChoices } from "../../lib/currencies";
import { settingsPath, useSettings } from "../../lib/settings";
import { browserTimeZone } from "../../lib/shop";
import { useVersions } from "../../lib/versions";
import { currentLanguage, t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { ConflictDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { SearchSelect } from "../../ui/search-select";

type Changes = Partial<
  Pick<ShopSettings, "currency" | "timeZone" | "orderExpiryMinutes" | "orderNumberPrefix" | "orderNumberNext">
>;

/** Writes settings with their version. */
export function useSettingsChange(etag: string) {
  const queries = useQueryClient();
  const versions = useVersions<ShopSettings>(settingsPath, async (changes, version) => {
    await api.put<ShopSettings>(settingsPath, changes, { ifMatch: version });
    await Promise.all([
      queries.invalidateQueries({ queryKey: [settingsPath] }),
      queries.invalidateQueries({ queryKey: ["checklist"] }),
    ]);
    notifySaved();
  });
  // The settings that the person has seen: nothing is read again while somebody types.
  const shown = queries.getQueryData<Versioned<ShopSettings>>([settingsPath]);
  const base = shown?.etag === etag ? shown.record : undefined;
  return {
    change: (changes: Partial<ShopSettings>) => versions.save(changes, etag, { base }),
    conflict: versions.conflict,
  };
}

/** `firstRun`: only currency and time zone, preset from the browser. */
export function ShopSettingsForm({ firstRun = false }: { firstRun?: boolean }) {
  const settings = useSettings();
  if (settings.error) return <ErrorNotice error={settings.error} retry={() => void settings.refetch()} />;
  if (!settings.data) return <Skeleton height={280} />;
  return (
    <Fields key={settings.data.etag} settings={settings.data.record} etag={settings.data.etag} firstRun={firstRun} />
  );
}

function Fields({ settings, etag, firstRun }: { settings: ShopSettings; etag: string; firstRun: boolean }) {
  const { change, conflict } = useSettingsChange(etag);
  const isUnset = !settings.currency && !settings.timeZone;
  const preset = firstRun && isUnset;
  const form = useForm({
    initialValues: {
      currency: preset ? likelyCurrency() : (settings.currency ?? ""),
      timeZone: preset ? browserTimeZone : (settings.timeZone ?? ""),
      orderExpiryMinutes: (settings.orderExpiryMinutes ?? "") as number | string,
      orderNumberPrefix: settings.orderNumberPrefix ?? "",
      orderNumberNext: settings.orderNumberNext as number | string,
    },
  });
  const save = ({ currency, timeZone, orderExpiryMinutes, orderNumberPrefix, orderNumberNext }: typeof form.values) => {
    const chosen: Changes = {
      currency,
      timeZone,
      orderExpiryMinutes: orderExpiryMinutes === "" ? null : Number(orderExpiryMinutes),
      orderNumberPrefix: orderNumberPrefix.trim() || null,
      orderNumberNext: Number(orderNumberNext),
    };
    if (preset) return change({ currency, timeZone });
    return change(Object.fromEntries(Object.entries(chosen).filter(([name]) => form.isDirty(name))));
  };
  const timeZone = form.values.timeZone || settings.effectiveTimeZone;
  const time = new Date().toLocaleTimeString(currentLanguage(), { timeZone, hour: "2-digit", minute: "2-digit" });
  return (
    <Paper>
      <FormPage form={form} save={save} {...(preset && { isNew: true, saveLabel: t("settings.saveRegion") })}>
        <div>
          <Title order={2} fz={16} mb={4}>
            {t("settings.region")}
          </Title>
          <Text c="dimmed">{t("settings.regionText")}</Text>
        </div>
        <SearchSelect
          label={t("products.currency")}
          description={t("settings.currencyText")}
          placeholder={t("settings.notChosen", { value: settings.effectiveCurrency })}
          data={currencyChoices()}
          {...form.getInputProps("currency")}
        />
        <SearchSelect
          label={t("settings.timeZone")}
          description={t("settings.timeZoneText", { time })}
          placeholder={t("settings.notChosen", { value: settings.effectiveTimeZone })}
          limit={100}
          data={timeZoneChoices(timeZone)}
          {...form.getInputProps("timeZone")}
        />
        {!firstRun && (
          <>
            <Title order={2} fz={16} mt="sm">
              {t("settings.expiry")}
            </Title>
            <NumberInput
              label={t("settings.minutes")}
              description={t("settings.minutesText", { minutes: settings.effectiveOrderExpiryMinutes })}
              min={0}
              allowDecimal={false}
              {...form.getInputProps("orderExpiryMinutes")}
            />
            <Title order={2} fz={16} mt="sm">
              {t("settings.numbers")}
            </Title>
            <TextInput
              label={t("settings.prefix")}
              description={t("settings.prefixText")}
              placeholder="LG-"
              maxLength={16}
              {...form.getInputProps("orderNumberPrefix")}
            />
            {form.values.orderNumberPrefix.trim() !== "" && (
              <NumberInput
                label={t("settings.next")}
                description={t("settings.nextText", {
                  number: `${form.values.orderNumberPrefix.trim()}${form.values.orderNumberNext}`,
                })}
                min={1}
                allowDecimal={false}
                thousandSeparator=""
                {...form.getInputProps("orderNumberNext")}
              />
            )}
          </>
        )}
      </FormPage>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          labels={{
            currency: t("products.currency"),
            timeZone: t("settings.timeZone"),
            orderExpiryMinutes: t("settings.minutes"),
            orderNumberPrefix: t("settings.prefix"),
            orderNumberNext: t("settings.next"),
          }}
        />
      )}
    </Paper>
  );
}
