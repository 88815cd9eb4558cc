import { textOr } from "../text";

/** The two roles that every shop has. */
export const roles = ["TenantAdmin", "TenantStaff"] as const;

/** The permissions that pages and routes ask for. */
export const rights = ["data.read", "data.write", "admin.access"] as const;

/** A role or a permission in words. The names that a shop has chosen itself stay as they are. */
export function rightName(key: string): string {
  return textOr(`role.${key}`, textOr(`rightName.${key}`, key));
}
