// The box in which a member types a command: names and options are proposed while typing.
import { IconSend, IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import type { Command, CommandOption, Guild } from "../state";
import { BotAvatar } from "./avatar";
import { useChat } from "./context";
import { botName } from "./message";

export function Composer() {
  const [chosen, setChosen] = useState<Command | null>(null);
  const [text, setText] = useState("");
  if (chosen) return <CommandForm command={chosen} close={() => { setChosen(null); setText(""); }} />;
  return <CommandSearch text={text} setText={setText} choose={setChosen} />;
}

interface SearchProps {
  text: string;
  setText: (text: string) => void;
  choose: (command: Command) => void;
}

function CommandSearch({ text, setText, choose }: SearchProps) {
  const { guild, place } = useChat();
  const [active, setActive] = useState(0);
  const listId = useId();
  const name = text.slice(1).split(" ")[0]!.toLowerCase();
  const found = text.startsWith("/") ? guild.commands.filter((command) => command.name.startsWith(name)) : [];
  const marked = Math.min(active, found.length - 1);
  const press = (event: React.KeyboardEvent) => {
    if (found.length === 0) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined) setActive((marked + move + found.length) % found.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(found[marked]!);
    else if (event.key === "Escape") setText("");
    else return;
    event.preventDefault();
  };
  return (
    <div className="composer">
      {found.length > 0 && (
        <ul className="proposals" id={listId} role="listbox" aria-label="Commands">
          {found.map((command, index) => (
            <li key={command.name} id={`${listId}-${index}`} role="option" aria-selected={index === marked} onPointerEnter={() => setActive(index)} onClick={() => choose(command)}>
              <BotAvatar size={24} />
              <span className="proposal-name">
                /{command.name}
                {(command.options ?? []).map((option) => <i key={option.name}>{option.name}</i>)}
              </span>
              <span className="proposal-text">{command.description}</span>
              <span className="proposal-bot">{botName}</span>
            </li>
          ))}
        </ul>
      )}
      {text !== "" && found.length === 0 && <p className="composer-hint">{text.startsWith("/") ? "There is no such command." : "The bot only understands commands. Start with a slash: /"}</p>}
      <div className="composer-box">
        <input
          type="text"
          className="composer-input"
          value={text}
          onChange={(event) => { setText(event.currentTarget.value); setActive(0); }}
          onKeyDown={press}
          placeholder={`Type / for a command in ${place.title}`}
          aria-label={`Message in ${place.title}`}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={found.length > 0 ? listId : undefined}
          aria-activedescendant={found.length > 0 ? `${listId}-${marked}` : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        {text === "" && <button type="button" className="composer-button composer-slash" aria-label="Show the commands" onClick={() => setText("/")}>/</button>}
      </div>
    </div>
  );
}

/** The values that an option can have; null when it is typed. */
function choicesOf(option: CommandOption, guild: Guild): { value: string; label: string }[] | null {
  if (option.choices && option.choices.length > 0) return option.choices.map(({ name, value }) => ({ value: String(value), label: name }));
  if (option.type === 5) return [{ value: "true", label: "True" }, { value: "false", label: "False" }];
  if (option.type === 6) return guild.members.map(({ id, displayName }) => ({ value: id, label: displayName }));
  if (option.type === 7) return guild.channels.map(({ id, name }) => ({ value: id, label: `#${name}` }));
  if (option.type === 8) return guild.roles.map(({ id, name }) => ({ value: id, label: name }));
  return null;
}

/** The value as the platform sends it: whole numbers (4), truth values (5) and numbers (10) are not texts. */
function valueOf(option: CommandOption, text: string): unknown {
  if (option.type === 5) return text === "true";
  return option.type === 4 || option.type === 10 ? Number(text) : text;
}

function CommandForm({ command, close }: { command: Command; close: () => void }) {
  const { running, runCommand } = useChat();
  const options = command.options ?? [];
  const [shown, setShown] = useState(() => options.filter((option) => option.required).map(({ name }) => name));
  const [newest, setNewest] = useState(shown[0]);
  const [values, setValues] = useState<Record<string, string>>({});
  const sendButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (shown.length === 0) sendButton.current?.focus();
  }, [shown.length]);
  const send = async (event: React.FormEvent) => {
    event.preventDefault();
    const given = options.filter((option) => shown.includes(option.name) && (values[option.name] ?? "") !== "");
    const done = await runCommand(command.name, Object.fromEntries(given.map((option) => [option.name, valueOf(option, values[option.name]!)])));
    if (done) close();
  };
  const add = (name: string) => {
    setShown([...shown, name]);
    setNewest(name);
  };
  const rest = options.filter((option) => !shown.includes(option.name));
  return (
    <form className="composer" onSubmit={(event) => void send(event)} onKeyDown={(event) => event.key === "Escape" && close()}>
      <p className="composer-hint">
        {command.description}
        {rest.map((option) => (
          <button key={option.name} type="button" className="option-chip" title={option.description} onClick={() => add(option.name)}>
            + {option.name}
          </button>
        ))}
      </p>
      <div className="composer-box">
        <span className="command-name">/{command.name}</span>
        <span className="command-options">
          {options.filter((option) => shown.includes(option.name)).map((option) => (
            <OptionField key={option.name} option={option} autoFocus={option.name === newest} value={values[option.name] ?? ""} change={(value) => setValues({ ...values, [option.name]: value })} />
          ))}
        </span>
        <button type="button" className="composer-button" aria-label="Discard the command" onClick={close}><IconX size={18} /></button>
        <button type="submit" ref={sendButton} className="composer-button composer-send" aria-label={`Send /${command.name}`} aria-busy={running === "command"}><IconSend size={18} /></button>
      </div>
    </form>
  );
}

function OptionField({ option, autoFocus, value, change }: { option: CommandOption; autoFocus: boolean; value: string; change: (value: string) => void }) {
  const { guild } = useChat();
  const choices = choicesOf(option, guild);
  const attributes = { value, required: option.required, title: option.description, autoFocus };
  return (
    <label className="option-field">
      <span>{option.name}</span>
      {choices ? (
        <select {...attributes} onChange={(event) => change(event.target.value)}>
          <option value="" />
          {choices.map((choice) => <option key={choice.value} value={choice.value}>{choice.label}</option>)}
        </select>
      ) : (
        <input {...attributes} type="text" inputMode={option.type === 4 ? "numeric" : option.type === 10 ? "decimal" : "text"} placeholder={option.description} onChange={(event) => change(event.target.value)} autoComplete="off" />
      )}
    </label>
  );
}
