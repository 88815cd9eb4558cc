// Writing a record with the version that the changes are based on.
import { useState } from "react";
import { api, ApiError } from "../api";

/** What ConflictDialog shows. */
export interface Conflict<T> {
  mine: Partial<T>;
  theirs: T;
  /** Saves the chosen values on top of the other person's version. */
  solve: (chosen: Partial<T>) => Promise<unknown>;
  close: () => void;
}

/**
 * `write` sends changes with their version; when a conflict is solved, it also gets the other person's version. If somebody
 * else has changed the record at `path` meanwhile, there is a conflict to show, and `save` returns false. `partOf`: the part
 * of the record that is edited, if it is not the whole.
 */
export function useVersions<T, Whole = T>(path: string, write: (changes: Partial<T>, etag: string, theirs?: T) => Promise<unknown>, partOf = (whole: Whole) => whole as unknown as T) {
  const [conflict, setConflict] = useState<Conflict<T> | null>(null);
  /** With `base`, what the changes are based on, there is no conflict while the others have changed something else. */
  const save = async (changes: Partial<T>, etag: string, base?: T, theirs?: T): Promise<boolean> => {
    try {
      await write(changes, etag, theirs);
      setConflict(null);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 412) throw thrown;
      const fresh = await api.read<Whole>(path);
      const part = partOf(fresh.record);
      const isSame = (field: keyof T) => JSON.stringify(base?.[field]) === JSON.stringify(part[field]);
      if (base && (Object.keys(changes) as (keyof T)[]).every(isSame)) return save(changes, fresh.etag, part, part);
      setConflict({ mine: changes, theirs: part, solve: (chosen) => save(chosen, fresh.etag, part, part), close: () => setConflict(null) });
      return false;
    }
  };
  return { save, conflict };
}
