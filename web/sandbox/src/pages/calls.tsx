// The log of all calls between the server and the parties, in both directions.
import { Group, Select, TextInput, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDownLeft, IconArrowUpRight } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { calls, useSandbox, type LoggedCall } from "../state";
import { CallDetail } from "./call-detail";
import { DeliverySettings } from "./delivery-settings";
import { Empty, Page, pathOf } from "./parts";

const directions = [
  { value: "in", label: "From the server" },
  { value: "out", label: "To the server" },
];

export function CallsPage({ selected }: { selected: number | null }) {
  const { parties } = useSandbox();
  const { items } = calls.use();
  const [party, setParty] = useState<string | null>(null);
  const [direction, setDirection] = useState<string | null>(null);
  const [text, setText] = useState("");
  const wide = useMediaQuery("(min-width: 75em)", true, { getInitialValueInEffect: false });
  const shown = items.filter(
    (item) =>
      (party === null || item.party === party) &&
      (direction === null || item.direction === direction) &&
      (text === "" || `${item.method} ${item.url} ${item.requestBody} ${item.responseBody}`.toLowerCase().includes(text.toLowerCase())),
  );
  const call = items.find((item) => item.id === selected) ?? null;
  if (call !== null && !wide) return <div className="page"><CallDetail call={call} back /></div>;
  return (
    <Page title="Calls" text="Every call between the server and the providers, with its body and signature." actions={<DeliverySettings />}>
      <Group gap="xs" mb="sm" className="filters">
        <TextInput aria-label="Search calls" placeholder="Search addresses and bodies" value={text} onChange={(event) => setText(event.currentTarget.value)} className="grow" />
        <Select aria-label="Party" placeholder="All parties" clearable value={party} onChange={setParty} data={parties.map(({ name, title }) => ({ value: name, label: title }))} />
        <Select aria-label="Direction" placeholder="Both directions" clearable value={direction} onChange={setDirection} data={directions} />
      </Group>
      <div className={wide ? "calls calls-wide" : "calls"}>
        {shown.length === 0 ? (
          <Empty title={items.length === 0 ? "No calls yet" : "Nothing matches"} text={items.length === 0 ? "A call appears here as soon as the server and a provider talk to each other." : "No call matches these filters."} />
        ) : (
          <ul className="call-list">
            {shown.map((item) => <CallRow key={item.id} call={item} selected={item.id === selected} />)}
          </ul>
        )}
        {wide && (call === null ? <Empty title="No call selected" text="Select a call to see its headers, body and signature, or to send it again." /> : <CallDetail call={call} />)}
      </div>
    </Page>
  );
}

function CallRow({ call, selected }: { call: LoggedCall; selected: boolean }) {
  const { parties } = useSandbox();
  const [, navigate] = useLocation();
  const Icon = call.direction === "in" ? IconArrowDownLeft : IconArrowUpRight;
  const failed = call.status < 200 || call.status >= 400;
  return (
    <li>
      <UnstyledButton className="call-row" aria-current={selected ? "true" : undefined} onClick={() => navigate(`/calls/${call.id}`)}>
        <Icon size={16} className={`call-icon call-${call.direction}`} aria-label={call.direction === "in" ? "From the server" : "To the server"} role="img" />
        <span className="call-target"><b>{call.method}</b> {pathOf(call.url)}</span>
        <span className={failed ? "call-status call-failed" : "call-status"}>{call.status === 0 ? "no response" : call.status}</span>
        <span className="call-facts">
          {parties.find(({ name }) => name === call.party)?.title ?? call.party} · {new Date(call.at).toLocaleTimeString("en-GB")} · {call.milliseconds} ms
        </span>
      </UnstyledButton>
    </li>
  );
}
