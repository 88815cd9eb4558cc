// The chat platform: channels, messages, members, as its own client shows them.
import { ActionIcon, Drawer } from "@mantine/core";
import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { IconAt, IconHash, IconMenu2, IconUsers } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { showNote, useAction } from "../action";
import { call, useSandbox, type Guild, type Member, type Message, type Modal } from "../state";
import { Composer } from "./composer";
import { ChatContext, visibleTo, type Place } from "./context";
import { MemberList, MemberSwitcher } from "./members";
import { botName, MessageView } from "./message";
import { ModalView } from "./modal";
import { NextSteps } from "./next-steps";

const directPlace = "direct";

function placesOf(guild: Guild, me: Member): Place[] {
  const channels = guild.channels.map(({ id, name, messages }) => ({ id, title: `#${name}`, isDirect: false, messages: visibleTo(me, messages) }));
  return [...channels, { id: directPlace, title: `@${botName}`, isDirect: true, messages: visibleTo(me, me.directMessages) }];
}

/** The answer to an interaction: the messages are in the next state; a form is shown at once. */
interface InteractionResult {
  modal: Modal | null;
}

export function ChatPage({ place: chosen }: { place: string | null }) {
  const { guild } = useSandbox();
  const wide = useMediaQuery("(min-width: 64em)", true, { getInitialValueInEffect: false });
  const [memberId, setMemberId] = useLocalStorage({ key: "guildhall.sandbox.member", defaultValue: "", getInitialValueInEffect: false });
  const me = guild.members.find(({ id }) => id === memberId) ?? guild.members[0]!;
  const places = placesOf(guild, me);
  const place = places.find(({ id }) => id === chosen) ?? places.find(({ title }) => title === "#shop") ?? places[0]!;
  const [modal, setModal] = useState<Modal | null>(null);
  const [channelsOpen, channels] = useDisclosure(false);
  const [membersOpen, members] = useDisclosure(false);
  const unread = useUnread(me, places, place);
  const { running, run } = useAction();
  useRoleNotes(guild);

  const interact = async (name: string, path: string, body: object): Promise<boolean> => {
    const target = { member: me.id, channel: place.isDirect ? null : place.id };
    const result = await run(name, () => call<InteractionResult>("POST", `/chat/${path}`, { ...target, ...body }));
    if (result?.modal) setModal(result.modal);
    return result !== null;
  };
  const chat = {
    guild,
    me,
    place,
    running,
    runCommand: (name: string, options: Record<string, unknown>) => interact("command", "command", { name, options }),
    sendComponent: (message: string, customId: string, values: string[]) => void interact(`${message} ${customId}`, "component", { message, customId, values }),
  };
  const choose = (member: Member) => {
    setMemberId(member.id);
    members.close();
  };
  const sidebar = (
    <div className="channels">
      <div className="guild-name">{guild.name}</div>
      <ChannelList places={places} current={place} unread={unread} onChoose={channels.close} />
      <MemberSwitcher guild={guild} me={me} choose={choose} />
    </div>
  );
  const memberList = <MemberList guild={guild} me={me} choose={choose} />;
  return (
    <ChatContext value={chat}>
      <div className="chat chat-colours">
        {wide && sidebar}
        <section className="conversation" aria-label={place.title}>
          <header className="conversation-head">
            {!wide && <ActionIcon variant="subtle" size={40} aria-label="Channels" onClick={channels.open}><IconMenu2 size={20} /></ActionIcon>}
            {place.isDirect ? <IconAt size={20} aria-hidden /> : <IconHash size={20} aria-hidden />}
            <h1>{place.title.slice(1)}</h1>
            {!wide && <span className="as-member">as {me.displayName}</span>}
            {!wide && <ActionIcon variant="subtle" size={40} aria-label="Members" onClick={members.open}><IconUsers size={20} /></ActionIcon>}
          </header>
          <Messages key={`${me.id} ${place.id}`} place={place} />
          <NextSteps />
          <Composer key={me.id} />
        </section>
        {wide && memberList}
      </div>
      {!wide && (
        <>
          <Drawer opened={channelsOpen} onClose={channels.close} title="Channels" size="xs" classNames={{ content: "chat-colours drawer-content", header: "drawer-header", body: "drawer-body" }}>{sidebar}</Drawer>
          <Drawer opened={membersOpen} onClose={members.close} title="Members" size="xs" position="right" classNames={{ content: "chat-colours drawer-content", header: "drawer-header", body: "drawer-body" }}>{memberList}</Drawer>
        </>
      )}
      {modal && <ModalView key={modal.customId} modal={modal} close={() => setModal(null)} submit={(fields) => { setModal(null); void interact("modal", "modal", { customId: modal.customId, fields }); }} />}
    </ChatContext>
  );
}

function ChannelList({ places, current, unread, onChoose }: { places: Place[]; current: Place; unread: Set<string>; onChoose: () => void }) {
  const entry = (place: Place) => (
    <li key={place.id}>
      <Link href={`/chat/${place.id}`} className={unread.has(place.id) ? "channel channel-unread" : "channel"} aria-current={place.id === current.id ? "page" : undefined} onClick={onChoose}>
        {place.isDirect ? <IconAt size={18} aria-hidden /> : <IconHash size={18} aria-hidden />}
        <span>{place.title.slice(1)}</span>
        {unread.has(place.id) && <span className="unread-dot" role="img" aria-label="new messages" />}
      </Link>
    </li>
  );
  return (
    <nav className="channel-list" aria-label="Channels">
      <h2>Channels</h2>
      <ul>{places.filter((place) => !place.isDirect).map(entry)}</ul>
      <h2>Direct messages</h2>
      <ul>{places.filter((place) => place.isDirect).map(entry)}</ul>
    </nav>
  );
}

const nearTheEnd = 120; // pixels

function Messages({ place }: { place: Place }) {
  const list = useRef<HTMLDivElement>(null);
  const [dismissed, setDismissed] = useState<Set<string>>(new Set());
  const followed = useRef(true);
  const shown = place.messages.filter(({ id }) => !dismissed.has(id));
  useEffect(() => {
    const element = list.current!;
    const follow = () => {
      if (followed.current) element.scrollTop = element.scrollHeight;
    };
    const observer = new ResizeObserver(follow); // also when a picture has come
    observer.observe(element);
    observer.observe(element.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  const noteScroll = () => {
    const element = list.current!;
    followed.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearTheEnd;
  };
  return (
    <div className="messages" ref={list} onScroll={noteScroll} role="log" aria-label={`Messages in ${place.title}`} tabIndex={0}>
      <div>
        <Welcome place={place} />
        {shown.map((message, index) => (
          <MessageView key={message.id} message={message} continues={isContinued(shown[index - 1], message)} dismiss={() => setDismissed(new Set(dismissed).add(message.id))} />
        ))}
      </div>
    </div>
  );
}

const groupMilliseconds = 5 * 60_000;

function isContinued(before: Message | undefined, message: Message): boolean {
  if (!before || message.replyTo?.command || before.author !== message.author || before.ephemeralFor !== message.ephemeralFor) return false;
  return Date.parse(message.createdAt) - Date.parse(before.createdAt) < groupMilliseconds;
}

function Welcome({ place }: { place: Place }) {
  return (
    <div className="welcome">
      <span className="welcome-icon" aria-hidden>{place.isDirect ? <IconAt size={34} /> : <IconHash size={34} />}</span>
      <h2>{place.isDirect ? `Your messages with ${botName}` : `Welcome to ${place.title}`}</h2>
      <p>
        {place.isDirect
          ? "Messages that the shop sends only to you appear here."
          : "Type /shop and buy something. Then pay for it below, watch the role appear next to your name, deliver the parcel, and refund the order in the console or under Payments."}
      </p>
    </div>
  );
}

/** The places with messages that came while another one was open. */
function useUnread(me: Member, places: Place[], open: Place): Set<string> {
  const seen = useRef(new Map<string, string>());
  const unread = new Set<string>();
  for (const place of places) {
    const key = `${me.id} ${place.id}`;
    const newest = place.messages.at(-1)?.id ?? "";
    if (!seen.current.has(key) || place.id === open.id) seen.current.set(key, newest);
    if (newest !== "" && seen.current.get(key) !== newest) unread.add(place.id);
  }
  return unread;
}

/** Says aloud when a member gets or loses a role. */
function useRoleNotes(guild: Guild) {
  const before = useRef(new Map<string, string[]>());
  useEffect(() => {
    for (const member of guild.members) {
      const old = before.current.get(member.id);
      before.current.set(member.id, member.roles);
      if (!old) continue;
      const name = (role: string) => guild.roles.find(({ id }) => id === role)?.name ?? role;
      for (const role of member.roles) if (!old.includes(role)) showNote(`${member.displayName} has the role ${name(role)} now.`, false);
      for (const role of old) if (!member.roles.includes(role)) showNote(`${member.displayName} no longer has the role ${name(role)}.`, false);
    }
  }, [guild]);
}
