// Who looks at which channel, and how a click or a command is sent to the bot.
import { createContext, useContext } from "react";
import type { Guild, Member, Message } from "../state";

/** A channel of the guild, or the member's direct messages. */
export interface Place {
  id: string;
  title: string;
  isDirect: boolean;
  messages: Message[];
}

export interface Chat {
  guild: Guild;
  me: Member;
  place: Place;
  /** The name of the interaction that the bot has not answered yet. */
  running: string | null;
  runCommand: (name: string, options: Record<string, unknown>) => Promise<boolean>;
  sendComponent: (message: string, customId: string, values: string[]) => void;
}

export const ChatContext = createContext<Chat | null>(null);

export function useChat(): Chat {
  return useContext(ChatContext)!;
}

/** The messages that a member sees: those of everybody, and replies that are for this member alone. */
export function visibleTo(member: Member, messages: Message[]): Message[] {
  return messages.filter((message) => message.ephemeralFor === null || message.ephemeralFor === member.id);
}
