// How many orders are open, for the home page and the menu, and the newest of them.
import { queryOptions } from "@tanstack/react-query";
import { api, type OpenOrdersPage, type OpenSummary } from "../api";

const path = "/api/data/order/open";
export const openSummary = queryOptions({
  queryKey: [`${path}/summary`],
  queryFn: () => api.get<OpenSummary>(`${path}/summary`),
});
export const newestOrders = queryOptions({
  queryKey: [path, "newest"],
  queryFn: () => api.get<OpenOrdersPage>(path, { query: { pageSize: 8 } }),
});
/** What the home page shows first. */
export const firstOfHome = [openSummary, newestOrders];
