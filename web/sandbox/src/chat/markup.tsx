// The platform's mark-up: bold, italic, code, links, times, and mentions of members, channels and roles.
import { Fragment, type ReactNode } from "react";
import { relativeTime } from "../../../console/src/lib/format";
import type { Guild } from "../state";

const token = /```(?:[a-z]*\n)?([\s\S]+?)```|`([^`\n]+)`|\*\*(.+?)\*\*|\*([^*\n]+)\*|__(.+?)__|~~(.+?)~~|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)|(https?:\/\/[^\s<>)]+)|<t:(-?\d+)(?::([tTdDfFR]))?>|<@!?(\d+)>|<#(\d+)>|<@&(\d+)>/g;

const dateStyles: Record<string, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

function Time({ seconds, style }: { seconds: number; style: string }) {
  const at = new Date(seconds * 1000);
  const text = style === "R" ? relativeTime(at.toISOString()) : at.toLocaleString("en", dateStyles[style]);
  return <time dateTime={at.toISOString()} className="mark">{text}</time>;
}

function External({ href, children }: { href: string; children: ReactNode }) {
  return <a href={href} target="_blank" rel="noreferrer">{children}</a>;
}

/** What one match stands for. The groups are those of `token`, in their order. */
function element(match: RegExpMatchArray, guild: Guild): ReactNode {
  const [whole, block, code, bold, italic, underlined, struck, label, address, link, seconds, style, member, channel, role] = match;
  if (block !== undefined) return <pre tabIndex={0}>{block.trim()}</pre>;
  if (code !== undefined) return <code>{code}</code>;
  if (bold !== undefined) return <strong>{marked(bold, guild)}</strong>;
  if (italic !== undefined) return <em>{marked(italic, guild)}</em>;
  if (underlined !== undefined) return <u>{marked(underlined, guild)}</u>;
  if (struck !== undefined) return <s>{marked(struck, guild)}</s>;
  if (label !== undefined && address !== undefined) return <External href={address}>{label}</External>;
  if (link !== undefined) return <External href={link}>{link}</External>;
  if (seconds !== undefined) return <Time seconds={Number(seconds)} style={style ?? "f"} />;
  const named = <T extends { id: string }>(list: T[], id: string | undefined) => list.find((each) => each.id === id);
  if (member !== undefined) return <span className="mark">@{named(guild.members, member)?.displayName ?? member}</span>;
  if (channel !== undefined) return <span className="mark">#{named(guild.channels, channel)?.name ?? channel}</span>;
  if (role !== undefined) return <span className="mark">@{named(guild.roles, role)?.name ?? role}</span>;
  return whole;
}

function marked(text: string, guild: Guild): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    parts.push(text.slice(end, match.index), element(match, guild));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}

export function Markup({ text, guild }: { text: string; guild: Guild }) {
  return <div className="markup">{marked(text.trimEnd(), guild)}</div>;
}
