// One's own second factor: enrolment, recovery codes, and what a session sees that has to enrol first.
import {
  Alert,
  Anchor,
  Button,
  Center,
  Code,
  CopyButton,
  Group,
  Loader,
  Paper,
  PasswordInput,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api, ApiError, type Enrolment, type RecoveryCodes, type SecondFactorState } from "../../api";
import { useDraft } from "../../lib/drafts";
import { count, fullTime } from "../../lib/format";
import { useSession } from "../../session";
import { t } from "../../text";
import { Copyable, ErrorNotice } from "../../ui/basics";
import { CodeInput, FormPage, notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";
import { QrCode } from "../../ui/qr-code";
import { PublicPage } from "./public-page";

const path = "/auth/second-factor";

function useSecondFactor() {
  return useQuery({
    queryKey: [path],
    queryFn: () => api.get<SecondFactorState>(path),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Shows its content unless the shop requires a second factor and the person has none. */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { signOut } = useSession();
  const queries = useQueryClient();
  const state = useSecondFactor();
  if (state.isPending)
    return (
      <Center mih="50vh">
        <Loader size="sm" aria-label={t("loading")} />
      </Center>
    );
  if (!state.data?.required || state.data.enrolled) return children;
  return (
    <PublicPage title={t("factor.neededTitle")} text={t("factor.neededText")}>
      <Stack>
        {/* Until now the server has refused every read. */}
        <Enrol state={state.data} done={() => void queries.invalidateQueries()} />
        <Button variant="subtle" fullWidth onClick={() => void signOut()}>
          {t("account.signOut")}
        </Button>
      </Stack>
    </PublicPage>
  );
}

export function SecondFactorCard() {
  const queries = useQueryClient();
  const state = useSecondFactor();
  const [open, setOpen] = useState<"renew" | "disable" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const refresh = () => void queries.invalidateQueries({ queryKey: [path] });
  return (
    <Paper>
      <Title order={2} fz={16} mb="xs">
        {t("factor.title")}
      </Title>
      {state.error && <ErrorNotice error={state.error} retry={() => void state.refetch()} />}
      {state.isPending && <Skeleton height={60} />}
      {state.data && !state.data.enrolled && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t("factor.text")} {state.data.required && t("factor.required")}
          </Text>
          <Enrol state={state.data} done={refresh} />
        </>
      )}
      {state.data?.enrolled && (
        <Stack gap="sm">
          <Text size="sm">
            {t("factor.on", {
              time: fullTime(state.data.confirmedAt ?? ""),
              count: count(state.data.recoveryCodesLeft),
            })}{" "}
            {state.data.required && t("factor.required")}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpen("renew")}>
              {t("factor.renew")}
            </Button>
            <Button variant="default" onClick={() => setOpen("disable")}>
              {t("factor.disable")}
            </Button>
          </Group>
        </Stack>
      )}
      {open === "renew" && (
        <CodeDialog
          title={t("factor.renew")}
          text={t("factor.renewText")}
          run={async (code) =>
            setCodes((await api.post<RecoveryCodes>(`${path}/recovery-codes`, { code })).recoveryCodes)
          }
          close={() => setOpen(null)}
        />
      )}
      {open === "disable" && (
        <CodeDialog
          title={t("factor.disable")}
          text={t("factor.disableText")}
          run={async (code) => {
            await api.post(`${path}/disable`, { code });
            refresh();
            notifySaved();
          }}
          close={() => setOpen(null)}
        />
      )}
      {codes && (
        <Modal
          onClose={() => {}}
          withCloseButton={false}
          closeOnEscape={false}
          closeOnClickOutside={false}
          title={t("factor.codesTitle")}
        >
          <ShownCodes
            codes={codes}
            done={() => {
              setCodes(null);
              refresh();
            }}
          />
        </Modal>
      )}
    </Paper>
  );
}

/** Three steps: begin with the password, confirm with the first code, keep the recovery codes. */
function Enrol({ state, done }: { state: SecondFactorState; done: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = useForm({ initialValues: { password: "" } });
  const form = useForm({ initialValues: { code: "" } });
  const begin = async ({ password }: { password: string }) => {
    try {
      setEnrolment(await api.post<Enrolment>(path, state.passwordRequired ? { password } : undefined));
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 409) throw thrown;
      done(); // it was enrolled elsewhere meanwhile
    }
  };
  if (codes) {
    return (
      <Stack gap="sm">
        <Title order={3} fz={14}>
          {t("factor.codesTitle")}
        </Title>
        <ShownCodes codes={codes} done={done} />
      </Stack>
    );
  }
  if (!enrolment) {
    return (
      <FormPage form={start} isNew saveLabel={t("factor.begin")} save={begin}>
        {state.passwordRequired && (
          <PasswordInput
            label={t("factor.password")}
            autoComplete="current-password"
            required
            {...start.getInputProps("password")}
          />
        )}
      </FormPage>
    );
  }
  return (
    <FormPage
      form={form}
      isNew
      saveLabel={t("factor.confirm")}
      save={async ({ code }) =>
        setCodes((await api.post<RecoveryCodes>(`${path}/confirm`, { code: code.trim() })).recoveryCodes)
      }
    >
      <Text size="sm">{t("factor.step1")}</Text>
      <Anchor href={enrolment.uri} size="sm">
        {t("factor.openLink")}
      </Anchor>
      <QrCode text={enrolment.uri} label={t("factor.qr")} />
      <div>
        <Text size="sm" c="dimmed">
          {t("factor.secret")}
        </Text>
        <Copyable text={enrolment.secret} />
      </div>
      <div>
        <Text size="sm" c="dimmed">
          {t("factor.link")}
        </Text>
        <Copyable text={enrolment.uri} />
      </div>
      <CodeInput description={t("factor.step2")} {...form.getInputProps("code")} />
    </FormPage>
  );
}

function ShownCodes({ codes, done }: { codes: string[]; done: () => void }) {
  useDraft(true);
  return (
    <Stack gap="sm">
      <Alert color="yellow">{t("factor.codesText")}</Alert>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {codes.map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end" gap="xs">
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? "action.copied" : "factor.copyCodes")}
            </Button>
          )}
        </CopyButton>
        <Button onClick={done}>{t("factor.saved")}</Button>
      </Group>
    </Stack>
  );
}

function CodeDialog({
  title,
  text,
  run,
  close,
}: {
  title: string;
  text: string;
  run: (code: string) => Promise<void>;
  close: () => void;
}) {
  const form = useForm({ initialValues: { code: "" } });
  return (
    <Modal onClose={close} title={title}>
      <FormPage
        form={form}
        isNew
        saveLabel={title}
        save={async ({ code }) => {
          await run(code.trim());
          close();
        }}
      >
        <Text>{text}</Text>
        <CodeInput {...form.getInputProps("code")} />
      </FormPage>
    </Modal>
  );
}
