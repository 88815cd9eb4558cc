// Merging my changes of a record with those that somebody else has saved meanwhile.
type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Compares values. The order of keys does not count; null and a value that is left out are the same. */
export function same(one: unknown, other: unknown): boolean {
  if (isObject(one) && isObject(other))
    return Object.keys({ ...one, ...other }).every((key) => same(one[key], other[key]));
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => same(each, other[index]));
  return (one ?? null) === (other ?? null);
}

/**
 * The fields of `after` that differ from `before`. The unchanged parts of such a field are those of the record, `base`. A field that
 * `after` leaves out is unchanged; a part that it leaves out was removed.
 */
export function changedFields(after: Fields, before: Fields, base: Fields): Fields {
  const changed = Object.entries(after).filter(([key, value]) => !same(value, before[key]));
  return Object.fromEntries(
    changed.map(([key, value]) => {
      const [was, stored] = [before[key], base[key]];
      if (!isObject(value) || !isObject(was) || !isObject(stored)) return [key, value];
      const kept = Object.entries(stored).filter(([part]) => part in value || !(part in was));
      return [key, { ...Object.fromEntries(kept), ...changedFields(value, was, stored) }];
    }),
  );
}

export interface Merge {
  /** To save on top of their version: what I have changed and they have not. */
  changes: Fields;
  /** The fields that both have changed, in different ways; a part of a field is named `lifecycle.endsAt`. */
  asked: string[];
}

/** `base`: the record as it was before both changes; undefined: unknown, so that every difference is asked. */
export function merge(mine: Fields, base: Fields | undefined, theirs: Fields): Merge {
  const merged: Merge = { changes: {}, asked: [] };
  for (const [key, value] of Object.entries(mine)) {
    if (same(value, theirs[key]) || (base && same(value, base[key]))) continue;
    if (base && same(theirs[key], base[key])) {
      merged.changes[key] = value;
      continue;
    }
    const [before, after] = [base?.[key], theirs[key]];
    if (isObject(value) && isObject(before) && isObject(after)) {
      const removed = Object.fromEntries(Object.keys(before).map((part) => [part, undefined]));
      const parts = merge({ ...removed, ...value }, before, after);
      merged.changes[key] = { ...after, ...parts.changes };
      merged.asked.push(...parts.asked.map((part) => `${key}.${part}`));
    } else {
      merged.asked.push(key);
    }
  }
  return merged;
}

/** The value of a field, or of a part of one. */
export function valueAt(record: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), record);
}

/** The changes with my value of a field that was asked. */
export function withMine(changes: Fields, path: string, mine: Fields): Fields {
  const [key, ...rest] = path.split(".") as [string, ...string[]];
  if (rest.length === 0) return { ...changes, [key]: mine[key] };
  return { ...changes, [key]: withMine((changes[key] ?? {}) as Fields, rest.join("."), mine[key] as Fields) };
}
