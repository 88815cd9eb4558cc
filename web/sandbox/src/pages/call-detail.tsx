// One call: headers, bodies, signature, and sending it once more.
import { Button, Group, NumberInput, Paper, Popover, Stack, Text, Title } from "@mantine/core";
import { IconClock, IconCopy, IconRepeat } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { fullTime } from "../../../console/src/lib/format";
import { StatusMark } from "../../../console/src/ui/marks";
import { showNote, useAction } from "../action";
import { call as send, useSandbox, type LoggedCall } from "../state";
import { pathOf } from "./parts";

export function CallDetail({ call, back }: { call: LoggedCall; back?: boolean }) {
  const { parties } = useSandbox();
  const party = parties.find(({ name }) => name === call.party)?.title ?? call.party;
  return (
    <Paper component="section" className="call-detail" aria-label="Selected call">
      <Stack gap="sm">
        {back && <Text size="sm"><Link href="/calls">← All calls</Link></Text>}
        <Title order={back ? 1 : 2} fz={16} className="break-anywhere">{call.method} {pathOf(call.url)}</Title>
        <Group gap="xs">
          <StatusMark tone={call.status >= 200 && call.status < 400 ? "good" : "bad"}>{call.status === 0 ? "No response" : call.status}</StatusMark>
          <SignatureMark call={call} />
          <Text c="dimmed" size="sm">{call.milliseconds} ms</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {call.direction === "in" ? `From the server to: ${party}` : `To the server, from: ${party}`} · {fullTime(call.at)}
        </Text>
        {call.direction === "out" && <SendAgain call={call} />}
        {call.signature && <Part title="Signature" text={call.signature.header} />}
        <Part title="Request headers" text={Object.entries(call.requestHeaders).map(([name, value]) => `${name}: ${value}`).join("\n")} />
        <Part title="Request body" text={pretty(call.requestBody)} />
        <Part title="Response body" text={pretty(call.responseBody)} />
      </Stack>
    </Paper>
  );
}

function SignatureMark({ call }: { call: LoggedCall }) {
  if (call.signature === null) return <StatusMark tone="neutral">Not signed</StatusMark>;
  return call.signature.valid ? <StatusMark tone="good">Signature valid</StatusMark> : <StatusMark tone="bad">Signature invalid</StatusMark>;
}

/** JSON with one member a line; everything else as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Part({ title, text }: { title: string; text: string }) {
  if (text === "") return null;
  return (
    <div>
      <Text size="xs" c="dimmed" fw={600} mb={4}>{title}</Text>
      <pre className="body-text" tabIndex={0}>{text}</pre>
    </div>
  );
}

function SendAgain({ call }: { call: LoggedCall }) {
  const { running, run } = useAction();
  const [open, setOpen] = useState(false);
  const [seconds, setSeconds] = useState<number | string>(10);
  const sendAgain = async (name: string, times: number, delaySeconds: number) => {
    const done = await run(name, async () => {
      await send("POST", `/calls/${call.id}/send`, { times, delaySeconds });
      return true;
    });
    if (done) showNote(delaySeconds > 0 ? `It will be sent in ${delaySeconds} seconds.` : times === 1 ? "Sent again." : "Sent twice more.", false);
  };
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconRepeat size={16} />} loading={running === "again"} onClick={() => void sendAgain("again", 1, 0)}>Send again</Button>
      <Button variant="default" leftSection={<IconCopy size={16} />} loading={running === "twice"} onClick={() => void sendAgain("twice", 2, 0)}>Send twice</Button>
      <Popover opened={open} onChange={setOpen} trapFocus withArrow position="bottom">
        <Popover.Target>
          <Button variant="default" leftSection={<IconClock size={16} />} onClick={() => setOpen(!open)}>Send later</Button>
        </Popover.Target>
        <Popover.Dropdown>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setOpen(false);
              void sendAgain("later", 1, Number(seconds));
            }}
          >
            <Stack gap="xs">
              <NumberInput label="Seconds from now" value={seconds} onChange={setSeconds} min={1} max={3600} allowDecimal={false} data-autofocus />
              <Button type="submit" disabled={seconds === ""}>Send later</Button>
            </Stack>
          </form>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}
