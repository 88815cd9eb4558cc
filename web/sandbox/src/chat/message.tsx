// A message as the chat platform shows it: who used which command, text, embeds, components, and whether it is for you alone.
import { IconArrowForwardUp, IconEye } from "@tabler/icons-react";
import type { Embed, Message } from "../state";
import { Avatar, BotAvatar } from "./avatar";
import { ComponentRow } from "./components";
import { useChat } from "./context";
import { Markup } from "./markup";

export const botName = "Guildhall";

function clockTime(at: string): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en", { timeStyle: "short" });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString("en", { dateStyle: "medium" })}, ${time}`;
}

/** `continues`: the message before is by the same author, so this one has no head of its own. */
export function MessageView({ message, continues, dismiss }: { message: Message; continues: boolean; dismiss: () => void }) {
  const { guild } = useChat();
  const author = guild.members.find(({ id }) => id === message.author);
  return (
    <article className={`message${message.ephemeralFor === null ? "" : " message-ephemeral"}${continues ? " message-continued" : ""}`}>
      {message.replyTo && message.replyTo.command !== "" && <UsedCommand replyTo={message.replyTo} />}
      {!continues && <div className="message-avatar">{author ? <Avatar id={author.id} name={author.displayName} /> : <BotAvatar />}</div>}
      <div className="message-body">
        {!continues && (
          <div className="message-head">
            <span className="author">{author?.displayName ?? botName}</span>
            {!author && <span className="app-badge">APP</span>}
            <time dateTime={message.createdAt}>{clockTime(message.createdAt)}</time>
          </div>
        )}
        {message.pending && <p className="thinking"><span className="dots" aria-hidden />{botName} is thinking…</p>}
        {message.content !== "" && <Markup text={message.content} guild={guild} />}
        {message.embeds.map((embed, index) => <EmbedView key={index} embed={embed} />)}
        {message.components.map((row, index) => <ComponentRow key={index} message={message.id} row={row} />)}
        {message.ephemeralFor !== null && (
          <p className="only-you">
            <IconEye size={14} aria-hidden /> Only you can see this ·{" "}
            <button type="button" onClick={dismiss}>Dismiss message</button>
          </p>
        )}
      </div>
    </article>
  );
}

function UsedCommand({ replyTo }: { replyTo: NonNullable<Message["replyTo"]> }) {
  const { guild } = useChat();
  const member = guild.members.find(({ id }) => id === replyTo.member);
  return (
    <p className="used-command">
      <IconArrowForwardUp size={14} aria-hidden />
      {member && <Avatar id={member.id} name={member.displayName} size={16} />}
      <strong>{member?.displayName ?? replyTo.member}</strong> used <span className="mark">/{replyTo.command}</span>
    </p>
  );
}

function EmbedView({ embed }: { embed: Embed }) {
  const { guild } = useChat();
  const colour = embed.color === undefined ? undefined : { borderLeftColor: `#${embed.color.toString(16).padStart(6, "0")}` };
  return (
    <section className="embed" style={colour}>
      {embed.thumbnail && <img className="embed-thumbnail" src={embed.thumbnail.url} alt="" loading="lazy" />}
      {embed.author && <p className="embed-author">{embed.author.name}</p>}
      {embed.title && <p className="embed-title">{embed.url ? <a href={embed.url} target="_blank" rel="noreferrer">{embed.title}</a> : embed.title}</p>}
      {embed.description && <Markup text={embed.description} guild={guild} />}
      {embed.fields && embed.fields.length > 0 && (
        <dl className="embed-fields">
          {embed.fields.map((field, index) => (
            <div key={index} className={field.inline ? "embed-field embed-inline" : "embed-field"}>
              <dt>{field.name}</dt>
              <dd><Markup text={field.value} guild={guild} /></dd>
            </div>
          ))}
        </dl>
      )}
      {embed.image && <img className="embed-image" src={embed.image.url} alt="" loading="lazy" />}
      {(embed.footer || embed.timestamp) && (
        <p className="embed-footer">{[embed.footer?.text, embed.timestamp && clockTime(embed.timestamp)].filter(Boolean).join(" · ")}</p>
      )}
    </section>
  );
}
