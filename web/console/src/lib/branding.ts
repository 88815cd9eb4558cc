// How the shop presents itself: name, logo and accent colour.
import { useQuery } from "@tanstack/react-query";
import { api, type Branding } from "../api";

export const brandingPath = "/api/admin/branding";

export function useBranding(enabled = true) {
  return useQuery({ queryKey: [brandingPath], queryFn: () => api.read<Branding>(brandingPath), refetchOnWindowFocus: false, enabled });
}
