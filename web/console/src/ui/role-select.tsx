// Choosing roles of the chat server by name. Without a connected chat server their ids are typed.
import { TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, type ChatRoles } from "../api";
import { t } from "../text";
import { SearchMultiSelect } from "./search-select";

export function useChatRoles() {
  return useQuery({
    queryKey: ["/api/data/chat-role"],
    queryFn: () => api.get<ChatRoles>("/api/data/chat-role"),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

interface RoleSelectProps {
  label: string;
  description?: string;
  value: string[];
  onChange: (ids: string[]) => void;
  /** Only roles that a member can be given. */
  assignable?: boolean;
  error?: ReactNode;
}

export function RoleSelect({ assignable, value, ...input }: RoleSelectProps) {
  const roles = useChatRoles();
  const listed = roles.data?.items.filter((role) => !assignable || role.assignable || value.includes(role.id)) ?? [];
  if (listed.length === 0)
    return (
      <TagsInput
        {...input}
        value={value}
        description={[input.description, t("roles.typeIds")].filter(Boolean).join(" ")}
      />
    );
  const unknown = value.filter((id) => !listed.some((role) => role.id === id));
  const data = [
    ...listed.map((role) => ({ value: role.id, label: role.name })),
    ...unknown.map((id) => ({ value: id, label: t("roles.unknown", { id }) })),
  ];
  return <SearchMultiSelect {...input} value={value} data={data} />;
}

/** The name of a role, or its id where the name is not known. */
export function useRoleName(): (id: string) => string {
  const roles = useChatRoles();
  return (id) => roles.data?.items.find((role) => role.id === id)?.name ?? id;
}
