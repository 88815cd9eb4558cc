// How the shop presents itself: name, logo and accent colour.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Branding } from "../api";

export const brandingPath = "/api/admin/branding";

export const brandingQuery = queryOptions({
  queryKey: [brandingPath],
  queryFn: () => api.read<Branding>(brandingPath),
  refetchOnWindowFocus: false,
});

export function useBranding(enabled = true) {
  return useQuery({ ...brandingQuery, enabled });
}
