// The parts of the header that open: the shop switcher and the menu of the account.
import { ActionIcon, Menu, UnstyledButton } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { OwnTenant } from "../api";
import { useSession } from "../session";
import { t } from "../text";
import { attempt } from "./form";
import { SearchSelect } from "./search-select";

interface ShopSelectProps {
  tile: ReactNode;
  shops: OwnTenant[];
  current: string;
  choose: (tenantId: string) => Promise<void>;
}

export function ShopSelect({ tile, shops, current, choose }: ShopSelectProps) {
  return (
    <SearchSelect
      aria-label={t("shop.switch")}
      w={{ base: 160, sm: 240 }}
      leftSection={tile}
      leftSectionWidth={40}
      value={current}
      data={shops.map((shop) => ({ value: shop.tenantId, label: shop.name }))}
      onChange={(tenantId) => tenantId && tenantId !== current && attempt(() => choose(tenantId))}
    />
  );
}

export function AccountMenu() {
  const { signOut } = useSession();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton aria-label={t("account.menu")}>
          <ActionIcon component="span" variant="default" size="lg">
            <IconUser size={18} />
          </ActionIcon>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href="/account" leftSection={<IconUser size={16} />}>
          {t("account.title")}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t("account.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
