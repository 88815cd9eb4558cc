// The shop's settings, which everybody may read who works there.
import { useQuery } from "@tanstack/react-query";
import { api, type ShopSettings } from "../api";
import { setShop } from "./shop";

export const settingsPath = "/api/admin/settings";

export function useSettings(enabled = true) {
  const settings = useQuery({ queryKey: [settingsPath], queryFn: () => api.read<ShopSettings>(settingsPath), refetchOnWindowFocus: false, enabled });
  if (settings.data) setShop(settings.data.record);
  return settings;
}
