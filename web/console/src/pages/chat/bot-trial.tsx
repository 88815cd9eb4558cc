// The chat bot as a member meets it, without any chat platform: what is typed and clicked goes to the real bot.
import { Button, Group, Paper, Select, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { IconExternalLink, IconRobot } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { api } from "../../api";
import { useAction } from "../../lib/action";
import { dateTime } from "../../lib/format";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";

interface Component {
  type: number;
  label?: string;
  style?: number;
  custom_id?: string;
  url?: string;
  placeholder?: string;
  value?: string;
  required?: boolean;
  max_length?: number;
  options?: { label: string; value: string; description?: string }[];
}

interface Embed {
  title: string;
  description?: string;
  fields: { name: string; value: string; inline: boolean }[];
  footer?: { text: string };
  image?: { url: string };
}

/** The bot's answer in the platform's format: a message (4), a modal (9), or a deferred one (5). */
interface Answer {
  type: number;
  data: {
    content?: string;
    title?: string;
    custom_id?: string;
    embeds?: Embed[];
    components?: { components: Component[] }[];
  };
}

type Line = { from: "you"; text: string } | { from: "bot"; answer: Answer };

const path = "/api/admin/chat/simulation";
const offered = ["shop", "orders", "help", "fund"];

export function BotTrial() {
  const queries = useQueryClient();
  const [lines, setLines] = useState<Line[]>([]);
  const [typed, setTyped] = useState("");
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lines.length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [lines]);

  const {
    run: act,
    busy,
    error,
  } = useAction(async (said: string, type: number, data: object) => {
    setLines((before) => [...before, { from: "you", text: said }]);
    const answer = await api.post<Answer>(path, { type, data });
    setLines((before) => [...before, { from: "bot", answer }]);
    for (const shown of ["/api/data/webhook-event", "/api/data/order", "checklist"])
      void queries.invalidateQueries({ queryKey: [shown] });
  });
  const command = (text: string) => {
    const [name = "", ...rest] = text.trim().replace(/^\//, "").split(/\s+/);
    if (name === "") return;
    // `number:A-1` names an option, as the platform shows it.
    const options = rest
      .map((part) => part.split(":"))
      .map(([option, ...value]) => ({ name: option, value: value.join(":") }));
    setTyped("");
    void act(`/${name} ${rest.join(" ")}`.trim(), 2, { name, options });
  };
  return (
    <Stack gap="sm">
      <Text c="dimmed">{t("trial.text")}</Text>
      <Paper p={0} className="trial">
        <Stack
          gap="sm"
          p="md"
          mih={120}
          mah={520}
          style={{ overflowY: "auto" }}
          tabIndex={0}
          role="log"
          aria-label={t("trial.title")}
        >
          {lines.length === 0 && (
            <Text c="dimmed" ta="center" py="lg">
              {t("trial.begin")}
            </Text>
          )}
          {lines.map((line, index) =>
            line.from === "you" ? (
              <Text key={index} ta="right" className="break-anywhere">
                <span className="trial-said">{line.text}</span>
              </Text>
            ) : (
              <BotAnswer key={index} answer={line.answer} act={act} active={!busy && index === lines.length - 1} />
            ),
          )}
          <div ref={end} />
        </Stack>
        <Stack gap="xs" p="sm" className="trial-input">
          <Group gap="xs">
            {offered.map((name) => (
              <Button key={name} size="compact-sm" variant="default" disabled={busy} onClick={() => command(name)}>
                /{name}
              </Button>
            ))}
          </Group>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              command(typed);
            }}
          >
            <Group gap="xs" wrap="nowrap">
              <TextInput
                aria-label={t("trial.command")}
                placeholder={t("trial.commandExample")}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                style={{ flex: 1 }}
                autoCapitalize="none"
              />
              <Button type="submit" loading={busy}>
                {t("trial.send")}
              </Button>
            </Group>
          </form>
        </Stack>
      </Paper>
      {error && <ErrorNotice error={error} />}
    </Stack>
  );
}

interface AnswerProps {
  answer: Answer;
  act: (said: string, type: number, data: object) => Promise<boolean>;
  /** Only the last answer can be used, so that nobody orders twice by accident. */
  active: boolean;
}

function BotAnswer({ answer, act, active }: AnswerProps) {
  const { data } = answer;
  if (answer.type === 9) return <ModalForm answer={answer} act={act} active={active} />;
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      <IconRobot size={22} aria-label={t("trial.bot")} style={{ flex: "none", marginTop: 4 }} />
      <Stack gap="xs" style={{ minWidth: 0, flex: 1 }}>
        {answer.type === 5 && <Text>{t("trial.later")}</Text>}
        {data.content && (
          <Text component="div" style={{ whiteSpace: "pre-wrap" }} className="break-anywhere">
            <Marked text={data.content} />
          </Text>
        )}
        {data.embeds?.map((embed, index) => (
          <EmbedCard key={index} embed={embed} />
        ))}
        {data.components?.map((row, index) => (
          <Group key={index} gap="xs">
            {row.components.map((each) => (
              <Control key={each.custom_id ?? each.url} control={each} act={act} active={active} />
            ))}
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

function EmbedCard({ embed }: { embed: Embed }) {
  return (
    <div className="embed">
      <Title order={3} fz={14} className="break-anywhere">
        {embed.title}
      </Title>
      {embed.description && (
        <Text component="div" size="sm" style={{ whiteSpace: "pre-wrap" }} className="break-anywhere">
          <Marked text={embed.description} />
        </Text>
      )}
      {embed.fields.length > 0 && (
        <Group gap="lg" mt="xs" align="flex-start">
          {embed.fields.map((field) => (
            <div key={field.name} style={{ minWidth: 0, ...(field.inline ? {} : { flexBasis: "100%" }) }}>
              <Text size="xs" fw={600}>
                {field.name}
              </Text>
              <Text component="div" size="sm" className="break-anywhere" style={{ whiteSpace: "pre-wrap" }}>
                <Marked text={field.value} />
              </Text>
            </div>
          ))}
        </Group>
      )}
      {embed.image && (
        <img src={embed.image.url} alt="" style={{ maxWidth: "100%", maxHeight: 240, marginTop: 8, borderRadius: 6 }} />
      )}
      {embed.footer && (
        <Text size="xs" c="dimmed" mt="xs">
          {embed.footer.text}
        </Text>
      )}
    </div>
  );
}

/** The little of the platform's markup that the bot writes: **bold**, `code` and `<t:1794920400:f>`, a time. */
function Marked({ text }: { text: string }): ReactNode {
  return text.split(/(\*\*[^*]+\*\*|```[^`]+```|`[^`]+`|<t:\d+:\w>)/).map((part, index) => {
    if (part.startsWith("**")) return <b key={index}>{part.slice(2, -2)}</b>;
    if (part.startsWith("`")) return <code key={index}>{part.replace(/`/g, "").trim()}</code>;
    if (part.startsWith("<t:")) return dateTime(new Date(Number(part.split(":")[1]) * 1000).toISOString());
    return part;
  });
}

function Control({ control, act, active }: { control: Component; act: AnswerProps["act"]; active: boolean }) {
  if (control.url) {
    return (
      <Button
        component="a"
        href={control.url}
        target="_blank"
        rel="noopener"
        size="xs"
        variant="default"
        rightSection={<IconExternalLink size={14} />}
      >
        {control.label}
      </Button>
    );
  }
  if (control.type === 3) {
    return (
      <Select
        aria-label={control.placeholder ?? ""}
        placeholder={control.placeholder ?? ""}
        w={{ base: "100%", sm: 320 }}
        disabled={!active}
        data={
          control.options?.map((option) => ({
            value: option.value,
            label: option.description ? `${option.label} · ${option.description}` : option.label,
          })) ?? []
        }
        onChange={(value, option) =>
          value !== null && void act(option.label, 3, { custom_id: control.custom_id, values: [value] })
        }
      />
    );
  }
  return (
    <Button
      size="xs"
      variant={control.style === 2 ? "default" : "filled"}
      disabled={!active}
      onClick={() => void act(control.label ?? "", 3, { custom_id: control.custom_id })}
    >
      {control.label}
    </Button>
  );
}

function ModalForm({ answer, act, active }: AnswerProps) {
  const inputs = answer.data.components?.flatMap((row) => row.components) ?? [];
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(inputs.map((input) => [input.custom_id, input.value ?? ""])),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const components = inputs.map((input) => ({
      type: 1,
      components: [{ type: 4, custom_id: input.custom_id, value: values[input.custom_id!] }],
    }));
    void act(t("trial.filledIn"), 5, { custom_id: answer.data.custom_id, components });
  };
  return (
    <form onSubmit={submit} className="embed">
      <Title order={3} fz={14} mb="xs">
        {answer.data.title}
      </Title>
      <Stack gap="xs">
        {inputs.map((input) => {
          const Input = input.style === 2 ? Textarea : TextInput;
          return (
            <Input
              key={input.custom_id}
              label={input.label}
              placeholder={input.placeholder ?? ""}
              required={input.required ?? false}
              maxLength={input.max_length ?? 1000}
              disabled={!active}
              value={values[input.custom_id!] ?? ""}
              onChange={(event: { currentTarget: { value: string } }) => {
                const { value } = event.currentTarget;
                setValues((before) => ({ ...before, [input.custom_id!]: value }));
              }}
            />
          );
        })}
        <Button type="submit" disabled={!active} style={{ alignSelf: "flex-start" }}>
          {t("trial.submit")}
        </Button>
      </Stack>
    </form>
  );
}
