import { textOr } from "../text";

/** The roles that every shop has. */
export const roles = ["TenantAdmin", "TenantManager", "TenantStaff"] as const;

/** The permissions that pages and routes ask for. */
export const rights = ["data.read", "data.write", "admin.access"] as const;

const needs = { TenantAdmin: ["TenantAdmin"], TenantManager: rights, TenantStaff: ["data.read", "data.write"] };

/** Whether somebody may give the role to others: nobody gives what they do not hold. */
export function mayGive(may: (key: string) => boolean, role: (typeof roles)[number]): boolean {
  return may("PlatformAdmin") || needs[role].every(may);
}

/** A role or a permission in words. The names that a shop has chosen itself stay as they are. */
export function rightName(key: string): string {
  return textOr(`role.${key}`, textOr(`rightName.${key}`, key));
}
