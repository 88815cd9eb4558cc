import { Alert } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconWifiOff } from "@tabler/icons-react";
import { t } from "../text";

export function OfflineBar() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" icon={<IconWifiOff size={18} />} mb="md" role="status">
      {t("offline")}
    </Alert>
  );
}
