import { TagsInput, type TagsInputProps } from "@mantine/core";
import { rightName, rights, roles } from "../lib/roles";

const known = [...roles, ...rights, "PlatformAdmin"];

/** Roles and permissions as tags: people see and choose names, the form has the keys. A shop's own names can be typed. */
export function RightsInput({
  value = [],
  onChange,
  offered = [],
  ...rest
}: Omit<TagsInputProps, "data"> & { offered?: readonly string[] }) {
  const keyOf = (name: string) => known.find((key) => rightName(key).toLowerCase() === name.toLowerCase()) ?? name;
  return (
    <TagsInput
      {...rest}
      data={offered.map(rightName)}
      value={value.map(rightName)}
      onChange={(names) => onChange?.([...new Set(names.map(keyOf))])}
    />
  );
}
