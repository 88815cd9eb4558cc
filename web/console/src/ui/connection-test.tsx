// A button that tries out a connection to another server, and says what came of it.
import { Alert, Button, List, Stack, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconPlugConnected } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../api";
import { useAction } from "../lib/action";
import { t } from "../text";
import { ErrorNotice } from "./basics";

interface Check {
  check: string;
  ok: boolean;
  message: string;
}

/** What a test answers: one sentence, or a list of checks. */
interface TestResult {
  ok: boolean;
  message?: string;
  checks?: Check[];
}

interface ConnectionTestProps {
  path: string;
  body?: object;
  label?: string;
  disabled?: boolean;
}

export function ConnectionTest({ path, body, label = t("test.button"), disabled }: ConnectionTestProps) {
  const [result, setResult] = useState<TestResult | null>(null);
  const test = useAction(async () => {
    setResult(null);
    setResult(await api.post<TestResult>(path, body));
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} />}
        loading={test.busy}
        disabled={disabled}
        onClick={() => void test.run()}
      >
        {label}
      </Button>
      {test.error && <ErrorNotice error={test.error} />}
      <div role="status" style={{ width: "100%" }}>
        {result && (
          <Alert
            color={result.ok ? "green" : "red"}
            icon={result.ok ? <IconCircleCheck size={18} /> : <IconCircleX size={18} />}
            title={t(result.ok ? "test.works" : "test.fails")}
          >
            {result.message && <Text>{result.message}</Text>}
            {result.checks && (
              <List listStyleType="none" spacing={4}>
                {result.checks.map((check) => (
                  <List.Item
                    key={check.check}
                    icon={
                      check.ok ? (
                        <IconCircleCheck size={16} aria-label={t("test.works")} />
                      ) : (
                        <IconCircleX size={16} aria-label={t("test.fails")} />
                      )
                    }
                  >
                    {check.message}
                  </List.Item>
                ))}
              </List>
            )}
          </Alert>
        )}
      </div>
    </Stack>
  );
}
