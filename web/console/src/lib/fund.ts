// The community fund of the shop.
import { queryOptions } from "@tanstack/react-query";
import { api, type FundConfig } from "../api";

export const fundPath = "/api/admin/community-fund";

export const fundConfigQuery = queryOptions({
  queryKey: [fundPath, "config"],
  queryFn: () => api.read<FundConfig>(`${fundPath}/config`),
  refetchOnWindowFocus: false,
});
