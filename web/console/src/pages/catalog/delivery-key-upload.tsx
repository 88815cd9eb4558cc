// Adding keys to a product's list: typed, pasted or from a file.
import { Alert, Button, FileButton, Group, List, Progress, Stack, Text, Textarea } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ApiError, type AddedKeys, type Deliverable } from "../../api";
import { useAction } from "../../lib/action";
import { useDraft } from "../../lib/drafts";
import { count } from "../../lib/format";
import { keyLines, keysOfFile, keysPerRequest, problemsOf, withoutLines, type KeyProblem } from "../../lib/key-lines";
import { changed } from "../../lib/refresh";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";
import { deliverablePath } from "./deliverable-dialog";

const fileBytesMax = 8 << 20;

export function AddKeysDialog({ deliverable, close }: { deliverable: Deliverable; close: () => void }) {
  const queries = useQueryClient();
  const { online } = useNetwork();
  const [text, setText] = useState("");
  const [problems, setProblems] = useState<KeyProblem[]>([]);
  const [sent, setSent] = useState(0);
  const [added, setAdded] = useState(0);
  useDraft(text !== "");
  const lines = keyLines(text);
  const edit = (next: string) => {
    setText(next);
    setProblems([]);
    sending.clear();
  };
  /** What the page shows is read again only now, since that may replace this dialog. */
  const finish = (done = 0) => {
    close();
    if (added + done > 0) void changed(queries, "deliverable", "entitlement", "order");
  };
  const reading = useAction(async (file: File | null) => {
    if (!file) return;
    if (file.size > fileBytesMax) throw new Error(t("deliveryKeys.tooLarge"));
    edit(keysOfFile(file.name, await file.text()));
  });
  // A request takes a bounded number of keys. All keys of a request are added, or none.
  const sending = useAction(async () => {
    setProblems([]);
    let done = 0;
    try {
      while (done < lines.length) {
        setSent(done);
        const some = lines.slice(done, done + keysPerRequest);
        const body = new Blob([some.map((line) => line.key).join("\n")], { type: "text/plain" });
        await api.post<AddedKeys>(`${deliverablePath(deliverable)}/key`, body);
        done += some.length;
      }
    } catch (thrown) {
      // What has been added is no longer a part of the list, so that it is not sent again.
      const rest = lines.slice(done);
      setAdded(added + done);
      if (done > 0) setText(rest.map((line) => line.key).join("\n"));
      const left = done > 0 ? rest.map((line, index) => ({ ...line, number: index + 1 })) : rest;
      const found = thrown instanceof ApiError ? problemsOf(thrown, left) : [];
      if (found.length === 0) throw thrown;
      return setProblems(found);
    }
    notifySaved(t("deliveryKeys.added", { count: count(added + done) }));
    finish(done);
  });
  return (
    <Modal onClose={() => finish()} title={t("deliveryKeys.add")} size="lg" closeOnClickOutside={text === ""}>
      <Stack>
        <Text>{t("deliveryKeys.addText")}</Text>
        <Textarea
          aria-label={t("deliveryKeys.list")}
          value={text}
          onChange={(event) => edit(event.currentTarget.value)}
          minRows={6}
          maxRows={12}
          autosize
          spellCheck={false}
          autoCapitalize="none"
          placeholder={"AAAA-BBBB-CCCC\nDDDD-EEEE-FFFF"}
          disabled={sending.busy}
          data-autofocus
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        />
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <FileButton
              accept=".txt,.csv,text/plain,text/csv"
              onChange={(file) => void reading.run(file)}
              inputProps={{ "aria-label": t("deliveryKeys.choose") }}
            >
              {(button) => (
                <Button {...button} size="xs" variant="default" leftSection={<IconUpload size={14} />}>
                  {t("deliveryKeys.choose")}
                </Button>
              )}
            </FileButton>
            <Text size="xs" c="dimmed">
              {t("deliveryKeys.fileText")}
            </Text>
          </Group>
          <Text size="sm" fw={600} role="status">
            {lines.length === 1
              ? t("deliveryKeys.foundOne")
              : lines.length > 0 && t("deliveryKeys.found", { count: count(lines.length) })}
          </Text>
        </Group>
        {reading.error && <ErrorNotice error={reading.error} />}
        {sending.busy && (
          <Progress
            animated
            value={lines.length > keysPerRequest ? Math.max(5, (sent / lines.length) * 100) : 100}
            aria-label={t("deliveryKeys.sending")}
          />
        )}
        {!sending.busy && added > 0 && (
          <Alert color="yellow">{t("deliveryKeys.partly", { count: count(added) })}</Alert>
        )}
        {problems.length > 0 && (
          <Problems
            problems={problems}
            title={t(added > 0 ? "deliveryKeys.wrong" : "deliveryKeys.noneAdded")}
            drop={() => edit(withoutLines(text, new Set(problems.map((problem) => problem.number))))}
          />
        )}
        {sending.error && <ErrorNotice error={sending.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => finish()}>
            {t("action.cancel")}
          </Button>
          <Button
            loading={sending.busy}
            disabled={!online || lines.length === 0 || problems.length > 0}
            onClick={() => void sending.run()}
          >
            {lines.length > 0 ? t("deliveryKeys.button", { count: count(lines.length) }) : t("deliveryKeys.add")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ProblemsProps {
  problems: KeyProblem[];
  title: string;
  drop: () => void;
}

function Problems({ problems, title, drop }: ProblemsProps) {
  return (
    <Alert color="red" role="alert" title={title}>
      <List size="sm" listStyleType="none" mah={180} mb="sm" style={{ overflowY: "auto" }} tabIndex={0}>
        {problems.map(({ number, text }) => (
          <List.Item key={`${number} ${text}`}>
            <b>{t("deliveryKeys.line", { number })}</b> {text}
          </List.Item>
        ))}
      </List>
      <Button size="xs" variant="light" color="red" onClick={drop}>
        {t("deliveryKeys.dropLines", { count: new Set(problems.map((problem) => problem.number)).size })}
      </Button>
    </Alert>
  );
}
