// The shop's settings, which everybody may read who works there.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type ShopSettings } from "../api";
import { setShop } from "./shop";

export const settingsPath = "/api/admin/settings";

export const settingsQuery = queryOptions({
  queryKey: [settingsPath],
  queryFn: () => api.read<ShopSettings>(settingsPath),
  refetchOnWindowFocus: false,
});

export function useSettings(enabled = true) {
  const settings = useQuery({ ...settingsQuery, enabled });
  if (settings.data) setShop(settings.data.record);
  return settings;
}
