/** The two roles that every shop has. */
export const roles = ["TenantAdmin", "TenantStaff"] as const;
