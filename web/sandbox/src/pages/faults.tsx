// Faults on demand: how a party misbehaves, and for how long.
import { Button, Group, NumberInput, Paper, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useState } from "react";
import { StatusMark } from "../../../console/src/ui/marks";
import { useAction } from "../action";
import { call, useSandbox, type FaultKind, type Party } from "../state";
import { Page } from "./parts";

const kinds: Record<FaultKind, string> = {
  error: "Respond with 500",
  rateLimited: "Respond with 429 and Retry-After",
  timeout: "Do not respond in time",
  rubbish: "Respond with garbage",
  dropped: "Carry it out, then drop the connection",
  held: "Carry it out, respond when the fault is over",
  answer: "Respond with your own text",
};

export function FaultsPage() {
  const { parties } = useSandbox();
  return (
    <Page title="Faults" text="Let a provider misbehave for a number of calls or for some time, and see that the server neither loses nor repeats anything.">
      <Stack gap="sm">
        <FaultForm parties={parties} />
        {parties.map((party) => <PartyCard key={party.name} party={party} />)}
      </Stack>
    </Page>
  );
}

function FaultForm({ parties }: { parties: Party[] }) {
  const { running, run } = useAction();
  const [party, setParty] = useState(parties[0]!.name);
  const [kind, setKind] = useState<FaultKind>("error");
  const [amount, setAmount] = useState<number | string>(3);
  const [unit, setUnit] = useState("calls");
  const [retryAfter, setRetryAfter] = useState<number | string>(2);
  const [path, setPath] = useState("");
  const [status, setStatus] = useState<number | string>(400);
  const [body, setBody] = useState("{}");
  const length = kind === "held" ? "seconds" : unit;
  const start = (event: React.FormEvent) => {
    event.preventDefault();
    const fault = {
      kind,
      path,
      [length]: Number(amount),
      ...(kind === "rateLimited" ? { retryAfter: Number(retryAfter) } : {}),
      ...(kind === "answer" ? { status: Number(status), body } : {}),
    };
    void run("start", () => call("PUT", `/faults/${party}`, fault));
  };
  return (
    <Paper component="form" onSubmit={start} aria-label="A new fault">
      <div className="fault-form">
        <Select label="Party" allowDeselect={false} value={party} data={parties.map(({ name, title }) => ({ value: name, label: title }))} onChange={(value) => value && setParty(value)} />
        <Select label="What it does" allowDeselect={false} value={kind} data={Object.entries(kinds).map(([value, label]) => ({ value, label }))} onChange={(value) => value && setKind(value as FaultKind)} />
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <NumberInput label="For" value={amount} onChange={setAmount} min={1} max={86_400} allowDecimal={false} className="grow" />
          <Select aria-label="Calls or seconds" allowDeselect={false} value={length} disabled={kind === "held"} data={["calls", "seconds"]} onChange={(value) => value && setUnit(value)} className="grow" />
        </Group>
        {kind === "rateLimited" && <NumberInput label="Retry-After" suffix=" s" value={retryAfter} onChange={setRetryAfter} min={0} max={3600} allowDecimal={false} />}
        <TextInput label="Only for this path" placeholder="/v2/orders/*" value={path} onChange={(event) => setPath(event.currentTarget.value)} />
        {kind === "answer" && <NumberInput label="Status" value={status} onChange={setStatus} min={200} max={599} allowDecimal={false} />}
        {kind === "answer" && <Textarea label="Body" autosize value={body} onChange={(event) => setBody(event.currentTarget.value)} />}
        <Button type="submit" leftSection={<IconBolt size={16} />} loading={running !== null} disabled={amount === "" || retryAfter === "" || status === ""}>Start the fault</Button>
      </div>
    </Paper>
  );
}

function PartyCard({ party }: { party: Party }) {
  const { running, run } = useAction();
  return (
    <Paper component="article" className="party" aria-label={party.title}>
      <div>
        <Group gap="xs">
          <Text fw={600}>{party.title}</Text>
          {party.fault === null ? <StatusMark tone="good">Works</StatusMark> : <StatusMark tone="bad">{kinds[party.fault.kind]}</StatusMark>}
        </Group>
        <Text c="dimmed" size="sm">
          {party.calls === 1 ? "1 call so far" : `${party.calls} calls so far`}
          {party.fault !== null && ` · ${rest(party.fault)}`}
        </Text>
      </div>
      {party.fault !== null && (
        <Button variant="default" loading={running !== null} onClick={() => void run("end", () => call("DELETE", `/faults/${party.name}`))}>
          End the fault
        </Button>
      )}
    </Paper>
  );
}

function rest({ callsLeft, until }: NonNullable<Party["fault"]>): string {
  if (until !== null) return `until ${new Date(until).toLocaleTimeString("en-GB")}`;
  return callsLeft === 1 ? "for one more call" : `for ${callsLeft} more calls`;
}
