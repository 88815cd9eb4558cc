// The names of records that others refer to. What a page asks for in one moment becomes one request for each kind.
import { useQuery } from "@tanstack/react-query";
import { api } from "../api";

export type NamedKind = "order" | "customer" | "member" | "product" | "user" | "token";

interface Waiting {
  id: string;
  found: (name: string | null) => void;
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
      const { items } = await api.get<{ items: { id: string; name: string }[] }>(path, { query: { kind, ids: some.map((each) => each.id).join() } });
      const names = new Map(items.map((item) => [item.id, item.name]));
      for (const each of some) each.found(names.get(each.id) ?? null);
    } catch (thrown) {
      for (const each of some) each.failed(thrown as Error);
    }
  }
}

function nameOf(kind: NamedKind, id: string): Promise<string | null> {
  return new Promise((found, failed) => {
    const others = waiting.get(kind);
    if (others) return others.push({ id, found, failed });
    waiting.set(kind, [{ id, found, failed }]);
    setTimeout(() => void ask(kind));
  });
}

/** The name of a record; null if there is no such record (any more), undefined while it is not known. */
export function useName(kind: NamedKind, id: string | null | undefined): string | null | undefined {
  const name = useQuery({ queryKey: [path, kind, id], queryFn: () => nameOf(kind, id!), enabled: Boolean(id), staleTime: 300_000, refetchOnWindowFocus: false });
  return name.data;
}
