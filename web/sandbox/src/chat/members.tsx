// The members of the guild with their roles, and the choice of the member as whom one acts.
import { Button, Group, Menu, Modal, Stack, Text, TextInput, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconSelector, IconUserPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useAction } from "../action";
import { call, type Guild, type Member, type Role } from "../state";
import { Avatar, BotAvatar } from "./avatar";
import { botName } from "./message";

/** The member's roles, the highest first. */
function rolesOf(member: Member, guild: Guild): Role[] {
  return guild.roles.filter(({ id }) => member.roles.includes(id)).sort((left, right) => right.position - left.position);
}

function RoleMark({ role, isNew }: { role: Role; isNew: boolean }) {
  const colour = { background: role.color === 0 ? "currentColor" : `#${role.color.toString(16).padStart(6, "0")}` };
  return (
    <li className={isNew ? "role role-new" : "role"}>
      <span className="role-colour" style={colour} aria-hidden />
      {role.name}
    </li>
  );
}

export function MemberList({ guild, me, choose }: { guild: Guild; me: Member; choose: (member: Member) => void }) {
  return (
    <section className="members" aria-label="Members" tabIndex={0}>
      <h2>Members — {guild.members.length}</h2>
      <ul>
        {guild.members.map((member) => <MemberRow key={member.id} member={member} guild={guild} isMe={member.id === me.id} choose={choose} />)}
      </ul>
      <h2>App — 1</h2>
      <div className="member"><BotAvatar size={32} /><span className="member-name">{botName} <span className="app-badge">APP</span></span></div>
    </section>
  );
}

function MemberRow({ member, guild, isMe, choose }: { member: Member; guild: Guild; isMe: boolean; choose: (member: Member) => void }) {
  const before = useRef(member.roles); // the roles at the time when the list was opened
  const roles = rolesOf(member, guild);
  return (
    <li>
      <UnstyledButton className="member" onClick={() => choose(member)} aria-label={isMe ? undefined : `Act as ${member.displayName}`}>
        <Avatar id={member.id} name={member.displayName} size={32} />
        <span className="member-name">{member.displayName}{isMe && <small> (you)</small>}</span>
      </UnstyledButton>
      {roles.length > 0 && (
        <ul className="roles" aria-label={`Roles of ${member.displayName}`}>
          {roles.map((role) => <RoleMark key={role.id} role={role} isNew={!before.current.includes(role.id)} />)}
        </ul>
      )}
    </li>
  );
}

/** Who am I: shown below the channels, as the platform shows the own account. */
export function MemberSwitcher({ guild, me, choose }: { guild: Guild; me: Member; choose: (member: Member) => void }) {
  const [adding, setAdding] = useState(false);
  const roles = rolesOf(me, guild);
  return (
    <>
      <Menu position="top-start" width="target" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className="own-account">
            <Avatar id={me.id} name={me.displayName} size={36} />
            <span className="own-name">
              <b><VisuallyHidden>You are </VisuallyHidden>{me.displayName}</b>
              <small>{roles.length > 0 ? roles.map(({ name }) => name).join(", ") : `@${me.username}`}</small>
            </span>
            <VisuallyHidden>. Switch member</VisuallyHidden>
            <IconSelector size={18} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className="own-menu">
          <Menu.Label>Act as</Menu.Label>
          {guild.members.map((member) => (
            <Menu.Item
              key={member.id}
              leftSection={<Avatar id={member.id} name={member.displayName} size={22} />}
              rightSection={member.id === me.id ? <IconCheck size={16} aria-label="chosen" /> : undefined}
              onClick={() => choose(member)}
            >
              {member.displayName}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconUserPlus size={18} />} onClick={() => setAdding(true)}>Add a member</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {adding && <AddMember close={() => setAdding(false)} />}
    </>
  );
}

function AddMember({ close }: { close: () => void }) {
  const { running, run } = useAction();
  const [name, setName] = useState("");
  const add = async (event: React.FormEvent) => {
    event.preventDefault();
    const added = await run("add", async () => {
      await call("POST", "/chat/members", { displayName: name.trim() });
      return true;
    });
    if (added) close();
  };
  return (
    <Modal opened onClose={close} title="Add a member">
      <form onSubmit={(event) => void add(event)}>
        <Stack>
          <Text>The new member joins the server without any roles and can become a customer.</Text>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={32} required data-autofocus />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>Cancel</Button>
            <Button type="submit" loading={running !== null} disabled={name.trim() === ""}>Add the member</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
