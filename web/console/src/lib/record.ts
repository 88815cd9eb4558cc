// Reading, creating and changing one record, with its version, for form pages.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api } from "../api";
import { notifyFailed, notifySaved } from "../ui/form";
import { useVersions } from "./versions";

export function useRecord<T extends { id: string }>(base: string, id: string, listPath: string) {
  const isNew = id === "new";
  const path = `${base}/${encodeURIComponent(id)}`;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const current = useQuery({
    queryKey: [path],
    queryFn: () => api.read<T>(path),
    enabled: !isNew,
    refetchOnWindowFocus: false,
  });

  /** `afterwards` runs before the page of the new record is opened. If it fails, that page is opened all the same. */
  const create = async (body: object, afterwards?: (made: T) => Promise<unknown> | undefined) => {
    const made = await api.post<T>(base, body);
    await afterwards?.(made)?.catch((thrown: Error) => notifyFailed(thrown.message));
    await queries.invalidateQueries({ queryKey: [base] });
    notifySaved();
    navigate(`${listPath}/${made.id}`, { replace: true });
  };
  const versions = useVersions<T>(path, async (changes, etag) => {
    const saved = await api.patch<T>(path, changes, { ifMatch: etag });
    queries.setQueryData([path], saved);
    await queries.invalidateQueries({ queryKey: [base] });
    notifySaved();
  });
  /** `before`: what the form would send if nobody had changed it, where that differs from the record. */
  const change = (changes: Partial<T>, before?: Partial<T>) =>
    versions.save(changes, current.data?.etag ?? "", { base: current.data?.record, before });
  const remove = async () => {
    await api.delete(path);
    await queries.invalidateQueries({ queryKey: [base] });
    navigate(listPath);
  };
  return { isNew, current, create, change, remove, conflict: versions.conflict, path };
}
