// Writing a record with the version that the changes are based on.
import { useState } from "react";
import { api, ApiError } from "../api";
import { changedFields, merge, withMine } from "./three-way";

/** What ConflictDialog shows. */
export interface Conflict<T> {
  mine: Partial<T>;
  theirs: T;
  base: Partial<T> | undefined;
  /** The fields that both have changed. All others are merged without asking. */
  asked: string[];
  /** Saves on top of the other person's version, with my values of those fields. */
  solve: (mine: string[]) => Promise<unknown>;
  close: () => void;
}

type Fields = Record<string, unknown>;

interface Basis<T> {
  /** The record that the form was filled in from. Without it every difference is a conflict. */
  base?: Partial<T> | undefined;
  /** What the form would send if nobody had changed it, where that differs from the record. */
  before?: Partial<T> | undefined;
}

/**
 * `write` sends changes with their version; when somebody else has changed the record meanwhile, it also gets that version. What only
 * one of both has changed is merged. If both have changed the same field, there is a conflict to show, and `save` returns false.
 * `partOf`: the part of the record that is edited, if it is not the whole.
 */
export function useVersions<T extends object, Whole = T>(
  path: string,
  write: (changes: Partial<T>, etag: string, theirs?: T) => Promise<unknown>,
  partOf = (whole: Whole) => whole as unknown as T,
) {
  const [conflict, setConflict] = useState<Conflict<T> | null>(null);
  const attempt = async (
    changes: Partial<T>,
    etag: string,
    base: Partial<T> | undefined,
    theirs?: T,
  ): Promise<boolean> => {
    try {
      await write(changes, etag, theirs);
      setConflict(null);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 412) throw thrown;
      const fresh = await api.read<Whole>(path);
      const part = partOf(fresh.record);
      const merged = merge(changes as Fields, base as Fields | undefined, part as Fields);
      const solve = (kept: string[]) =>
        attempt(
          kept.reduce((all, field) => withMine(all, field, changes as Fields), merged.changes) as Partial<T>,
          fresh.etag,
          part,
          part,
        );
      if (merged.asked.length === 0) return solve([]);
      setConflict({ mine: changes, theirs: part, base, asked: merged.asked, solve, close: () => setConflict(null) });
      return false;
    }
  };
  const save = (changes: Partial<T>, etag: string, { base, before = base }: Basis<T> = {}) =>
    attempt(
      base && before ? (changedFields(changes as Fields, before as Fields, base as Fields) as Partial<T>) : changes,
      etag,
      base,
    );
  return { save, conflict };
}
