// How many orders are open, for the home page and the menu.
import { queryOptions } from "@tanstack/react-query";
import { api, type OpenSummary } from "../api";

const path = "/api/data/order/open/summary";
export const openSummary = queryOptions({ queryKey: [path], queryFn: () => api.get<OpenSummary>(path) });
