// What a new shop still has to do. Stays until everything is done, or until somebody hides it in this browser.
import { Button, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Link } from "wouter";
import { checklistSteps, useChecklist } from "../../lib/checklist";
import { useSession } from "../../session";
import { t } from "../../text";
import { StepIcon } from "../../ui/step-icon";

export function Checklist() {
  const { session } = useSession();
  const checklist = useChecklist();
  const [hidden, setHidden] = useLocalStorage({
    key: `guildhall.checklist-hidden.${session.user.tenantId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (hidden || !checklist.data) return null;
  const done = checklistSteps.filter((step) => checklist.data[step]).length;
  if (done === checklistSteps.length) return null;
  return (
    <Paper>
      <Group justify="space-between" mb="xs">
        <Title order={2} fz={16}>
          {t("checklist.title")}
        </Title>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setHidden(true)}>
          {t("checklist.hide")}
        </Button>
      </Group>
      <Progress
        value={(done / checklistSteps.length) * 100}
        aria-label={t("checklist.progress", { done, count: checklistSteps.length })}
        mb="sm"
      />
      <Stack gap="xs">
        {checklistSteps.map((step) => (
          <Group key={step} gap="sm" wrap="nowrap" align="flex-start">
            <StepIcon done={checklist.data[step]} />
            <div>
              {checklist.data[step] ? (
                <Text c="dimmed">{t(`step.${step}`)}</Text>
              ) : (
                <Link href={`/welcome?step=${step}`}>{t(`step.${step}`)}</Link>
              )}
              {!checklist.data[step] && (
                <Text size="sm" c="dimmed" visibleFrom="sm">
                  {t(`stepText.${step}`)}
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
