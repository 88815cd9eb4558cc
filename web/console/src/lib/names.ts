// The names of records that others refer to. What a page asks for in one moment becomes one request for each kind.
import { useQuery } from "@tanstack/react-query";
import { api, type NamedRecord, type NamedRecords } from "../api";
import type { FilterValue } from "../enums";

export type NamedKind = FilterValue<"/api/data/name", "kind">;

interface Waiting {
  id: string;
  found: (record: NamedRecord | null) => void;
  failed: (error: Error) => void;
}

const path = "/api/data/name";
const idsMax = 100;
const waiting = new Map<NamedKind, Waiting[]>();

async function ask(kind: NamedKind): Promise<void> {
  const all = waiting.get(kind) ?? [];
  waiting.delete(kind);
  for (let first = 0; first < all.length; first += idsMax) {
    const some = all.slice(first, first + idsMax);
    try {
      const { items } = await api.get<NamedRecords>(path, { query: { kind, ids: some.map((each) => each.id).join() } });
      const records = new Map(items.map((item) => [item.id, item]));
      for (const each of some) each.found(records.get(each.id) ?? null);
    } catch (thrown) {
      for (const each of some) each.failed(thrown as Error);
    }
  }
}

function named(kind: NamedKind, id: string): Promise<NamedRecord | null> {
  return new Promise((found, failed) => {
    const others = waiting.get(kind);
    if (others) return others.push({ id, found, failed });
    waiting.set(kind, [{ id, found, failed }]);
    setTimeout(() => void ask(kind));
  });
}

function useNamed(kind: NamedKind, id: string | null | undefined): NamedRecord | null | undefined {
  return useQuery({
    queryKey: [path, kind, id],
    queryFn: () => named(kind, id!),
    enabled: Boolean(id),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  }).data;
}

/** The name of a record; null if there is no such record (any more), undefined while it is not known. */
export function useName(kind: NamedKind, id: string | null | undefined): string | null | undefined {
  const record = useNamed(kind, id);
  return record && record.name;
}

/** The currency of a record's amounts; null while it is not known. */
export function useCurrency(kind: "order" | "product", id: string | null): string | null {
  return useNamed(kind, id)?.currency ?? null;
}
