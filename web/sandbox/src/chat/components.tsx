// Buttons and select menus below a message.
import { Loader, MultiSelect, Select } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import type { Component, Guild, SelectOption } from "../state";
import { useChat } from "./context";

const buttonStyles: Record<number, string> = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };
const linkStyle = 5;

export function ComponentRow({ message, row }: { message: string; row: Component }) {
  return (
    <div className="component-row">
      {(row.components ?? []).map((component, index) =>
        component.type === 2 ? <PlatformButton key={index} message={message} button={component} /> : <PlatformSelect key={index} message={message} select={component} />,
      )}
    </div>
  );
}

function PlatformButton({ message, button }: { message: string; button: Component }) {
  const { running, sendComponent } = useChat();
  const style = `platform-button platform-${buttonStyles[button.style ?? 2]}`;
  if (button.style === linkStyle) {
    return <a className={style} href={button.url} target="_blank" rel="noreferrer">{button.label} <IconExternalLink size={15} aria-hidden /></a>;
  }
  const customId = button.custom_id ?? "";
  const isRunning = running === `${message} ${customId}`;
  return (
    <button type="button" className={style} disabled={button.disabled} aria-busy={isRunning} onClick={() => sendComponent(message, customId, [])}>
      {isRunning && <Loader size={14} color="currentColor" />}
      {button.label}
    </button>
  );
}

/** The options of a select menu: its own (3), or the members (5), roles (6) or channels (8) of the guild. */
export function optionsOf(select: Component, guild: Guild): SelectOption[] {
  if (select.type === 5) return guild.members.map(({ id, displayName }) => ({ value: id, label: displayName }));
  if (select.type === 6) return guild.roles.map(({ id, name }) => ({ value: id, label: name }));
  if (select.type === 8) return guild.channels.map(({ id, name }) => ({ value: id, label: `#${name}` }));
  return select.options ?? [];
}

function PlatformSelect({ message, select }: { message: string; select: Component }) {
  const { guild, running, sendComponent } = useChat();
  const [values, setValues] = useState<string[]>([]);
  const customId = select.custom_id ?? "";
  const options = optionsOf(select, guild);
  const descriptions = new Map(options.map(({ value, description }) => [value, description]));
  const shared = {
    "aria-label": select.placeholder ?? "Choose",
    placeholder: select.placeholder ?? "Make a selection",
    data: options.map(({ value, label }) => ({ value, label })),
    disabled: select.disabled === true,
    rightSection: running === `${message} ${customId}` ? <Loader size={16} /> : undefined,
    classNames: { root: "platform-select", input: "platform-select-input", dropdown: "chat-colours platform-select-dropdown", option: "platform-select-option" },
    renderOption: ({ option }: { option: { value: string; label: string } }) => (
      <span className="option-text">
        {option.label}
        {descriptions.get(option.value) && <small>{descriptions.get(option.value)}</small>}
      </span>
    ),
  };
  if ((select.max_values ?? 1) > 1) {
    const send = () => values.length >= (select.min_values ?? 1) && sendComponent(message, customId, values);
    return <MultiSelect {...shared} maxValues={select.max_values} value={values} onChange={setValues} onDropdownClose={send} />;
  }
  const choose = (value: string | null) => {
    if (value === null) return;
    setValues([value]);
    sendComponent(message, customId, [value]);
  };
  return <Select {...shared} allowDeselect={false} value={values[0] ?? null} onChange={choose} onOptionSubmit={(value) => value === values[0] && choose(value)} />;
}
