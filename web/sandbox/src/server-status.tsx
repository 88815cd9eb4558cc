// Which server the sandbox serves, whether it answers, and how to make a server use this sandbox.
import { Button, Code, CopyButton, Group, Modal, Stack, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useEffect, useState } from "react";
import { call, useSandbox } from "./state";

export function ServerStatus() {
  const { server, reachable } = useSandbox();
  const [open, setOpen] = useState(false);
  const address = server.replace(/^https?:\/\//, "");
  const word = reachable ? "is responding" : "is not responding";
  return (
    <>
      <UnstyledButton className="server-status" onClick={() => setOpen(true)}>
        <span className={reachable ? "dot dot-good" : "dot dot-bad"} aria-hidden />
        <span className="server-address">{address}</span>{" "}
        <span className="server-word">{word}</span>
        <VisuallyHidden>. How to connect a server</VisuallyHidden>
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
            ? `The sandbox sends its webhooks and chat messages to ${server}, which is responding.`
            : `The sandbox sends its webhooks and chat messages to ${server}, which is not responding. Start it, or start the sandbox with --server and another address.`}
        </Text>
        <Text>A server uses this sandbox when it runs with these environment variables:</Text>
        <Code block className="environment" tabIndex={0}>{environment}</Code>
        <Group justify="flex-end">
          <CopyButton value={environment}>
            {({ copied, copy }) => <Button variant="default" onClick={copy}>{copied ? "Copied" : "Copy variables"}</Button>}
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
