// Which server the sandbox serves, whether it answers, and how to make a server use this sandbox.
import { Button, Code, CopyButton, Group, Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useEffect, useState } from "react";
import { call, useSandbox } from "./state";

export function ServerStatus() {
  const { server, reachable } = useSandbox();
  const [open, setOpen] = useState(false);
  const word = reachable ? "answers" : "does not answer";
  return (
    <>
      <UnstyledButton className="server-status" onClick={() => setOpen(true)} aria-label={`The server ${server} ${word}. How to connect a server`}>
        <span className={reachable ? "dot dot-good" : "dot dot-bad"} aria-hidden />
        <span className="server-address">{server.replace(/^https?:\/\//, "")}</span>
        <span className="server-word">{word}</span>
      </UnstyledButton>
      {open && <ConnectDialog close={() => setOpen(false)} />}
    </>
  );
}

function ConnectDialog({ close }: { close: () => void }) {
  const { server, reachable } = useSandbox();
  const [environment, setEnvironment] = useState("");
  useEffect(() => void readEnvironment().then(setEnvironment), []);
  return (
    <Modal opened onClose={close} title="Connect a server" size="lg">
      <Stack>
        <Text>
          {reachable
            ? `The sandbox sends its webhooks and chat messages to ${server}, which answers.`
            : `The sandbox sends its webhooks and chat messages to ${server}, which does not answer. Start it, or start the sandbox with --server and another address.`}
        </Text>
        <Text>A server uses this sandbox when it runs with these environment variables:</Text>
        <Code block className="environment" tabIndex={0}>{environment}</Code>
        <Group justify="flex-end">
          <CopyButton value={environment}>
            {({ copied, copy }) => <Button variant="default" onClick={copy}>{copied ? "Copied" : "Copy the variables"}</Button>}
          </CopyButton>
          <Button onClick={close}>Close</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

async function readEnvironment(): Promise<string> {
  try {
    const variables = await call<Record<string, string>>("GET", "/env");
    return Object.entries(variables).map(([name, value]) => `${name}=${value}`).join("\n");
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
