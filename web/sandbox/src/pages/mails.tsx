// The mails that the server has sent. Nobody else receives them.
import { Anchor, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { dateTime } from "../../../console/src/lib/format";
import { useAction } from "../action";
import { call, sandbox, useSandbox, type Mail } from "../state";
import { Empty, Page } from "./parts";

export function MailsPage({ selected }: { selected: string | null }) {
  const { mails } = useSandbox();
  const { running, run } = useAction();
  const mail = mails.find((each) => each.id === selected);
  if (mail) return <MailPage mail={mail} />;
  const clear = () =>
    run("clear", async () => {
      await call("DELETE", "/mails");
      await sandbox.refresh();
      return true;
    });
  return (
    <Page title="Mails" text="Every mail that the server has sent, to buyers and to the people of the shop. None of them leaves this machine." actions={mails.length > 0 && <Button variant="default" loading={running !== null} onClick={() => void clear()}>Delete all</Button>}>
      {mails.length === 0 && <Empty title="No mails yet" text="Give an order an e-mail address in the shop, or send an invitation: the mails arrive here." />}
      <Stack gap="sm">
        {mails.map((each) => (
          <Paper key={each.id} component="article" className="record" aria-label={`Mail ${each.subject}`}>
            <div className="record-facts">
              <Anchor component={Link} href={`/mails/${each.id}`} fw={600} className="break-anywhere">{each.subject || "(no subject)"}</Anchor>
              <Text c="dimmed" size="sm" className="break-anywhere">{each.to.join(", ")} · {dateTime(each.at)}</Text>
            </div>
          </Paper>
        ))}
      </Stack>
    </Page>
  );
}

function MailPage({ mail }: { mail: Mail }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let shown = true;
    call<{ text: string }>("GET", `/mails/${mail.id}`).then((read) => shown && setText(read.text), () => shown && setText(""));
    return () => {
      shown = false;
    };
  }, [mail.id]);
  return (
    <Page title={mail.subject || "(no subject)"} text={`To ${mail.to.join(", ")} · from ${mail.from} · ${dateTime(mail.at)}`} actions={<Button component={Link} href="/mails" variant="default" leftSection={<IconArrowLeft size={16} />}>All mails</Button>}>
      <Paper component="article" aria-label="Text of the mail">
        <Group justify="space-between" mb="sm">
          <Title order={2} fz={16}>Text</Title>
          {mail.hasHtml && <Button component="a" href={`/sandbox/mails/${mail.id}/html`} target="_blank" rel="noreferrer" variant="default" rightSection={<IconExternalLink size={16} />}>As the buyer sees it</Button>}
        </Group>
        {text === null ? <Loader aria-label="Loading" /> : <Text className="break-anywhere" style={{ whiteSpace: "pre-wrap" }}>{withLinks(text)}</Text>}
      </Paper>
    </Page>
  );
}

/** The text, with its addresses as links. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => (index % 2 === 1 ? <Anchor key={index} href={part} target="_blank" rel="noreferrer">{part}</Anchor> : part));
}
