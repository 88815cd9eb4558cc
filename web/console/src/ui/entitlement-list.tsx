import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Page } from "@guildhall/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Entitlement } from "../api";
import { t } from "../text";
import { Status, When } from "./basics";
import { DigitalItemButton, reasonOf } from "./digital-item";
import { RecordName } from "./record-name";
import { useRoleName } from "./role-select";

/** The roles and digital items of an order or a customer; nothing if there are none. */
export function EntitlementList({ queryKey, query }: { queryKey: string[]; query: Record<string, string | number> }) {
  const roleName = useRoleName();
  const entitlements = useQuery({
    queryKey: ["/api/data/entitlement", ...queryKey],
    queryFn: () => api.get<Page<Entitlement>>("/api/data/entitlement", { query }).then((page) => page.items),
    // An order that changes meanwhile must not close a dialog of the list.
    placeholderData: keepPreviousData,
  });
  if (!entitlements.data || entitlements.data.length === 0) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("entitlements.title")}
      </Title>
      <Stack gap="xs">
        {entitlements.data.map((entitlement) => (
          <div key={entitlement.id}>
            <Group justify="space-between" gap="xs">
              <Text className="break-anywhere" component="div">
                <RecordName kind="product" id={entitlement.productId} />
                <Text size="xs" c="dimmed">
                  {entitlement.type === "CHAT_ROLE"
                    ? t("entitlements.role", { id: roleName(entitlement.roleId ?? "") })
                    : t("entitlements.item")}
                </Text>
              </Text>
              <Group gap="xs">
                <Text size="xs" c="dimmed">
                  <When at={entitlement.createdAt} />
                </Text>
                <Status value={entitlement.status} kind="entitlementStatus" />
              </Group>
            </Group>
            {entitlement.failureReason && (
              <Text size="sm" c="dimmed">
                {reasonOf(entitlement)}
              </Text>
            )}
            <DigitalItemButton of={entitlement} mt={8} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
