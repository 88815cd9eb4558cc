import { IconCircleCheckFilled, IconCircleDashed } from "@tabler/icons-react";
import { t } from "../text";

export function StepIcon({ done }: { done: boolean }) {
  return done ? (
    <IconCircleCheckFilled size={20} className="step-done" role="img" aria-label={t("step.done")} />
  ) : (
    <IconCircleDashed size={20} className="step-open" role="img" aria-label={t("step.open")} />
  );
}
