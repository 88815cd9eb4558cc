// What the outside world could do next, right where one buys: pay the newest payment, move the newest parcel.
import { Button } from "@mantine/core";
import { IconCreditCard, IconPackage } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { money } from "../../../console/src/lib/format";
import { type Delivered, showDelivery, useAction } from "../action";
import { payFull } from "../pages/payments";
import { moveParcel } from "../pages/parcels";
import { useSandbox } from "../state";

export function NextSteps() {
  const { payments, parcels } = useSandbox();
  const payment = payments.find(({ actions }) => actions.includes("pay"));
  const parcel = parcels.filter(({ actions }) => actions.includes("next")).at(-1);
  if (!payment && !parcel) return null;
  return (
    <div className="next-steps" role="group" aria-label="Next steps outside the chat">
      {payment && (
        <Step icon={<IconCreditCard size={18} aria-hidden />} button="Pay in full" run={() => payFull(payment)} more="/payments">
          <b>{payment.orderNumber}</b> is waiting for {money(payment.amountCents - payment.paidCents, payment.currency)}
        </Step>
      )}
      {parcel && (
        <Step icon={<IconPackage size={18} aria-hidden />} button="Next step" run={() => moveParcel(parcel, "next")} more="/parcels">
          Parcel <b>{parcel.orderNumber || parcel.trackingNumber}</b>
        </Step>
      )}
    </div>
  );
}

interface StepProps {
  icon: ReactNode;
  button: string;
  run: () => Promise<Delivered>;
  more: string;
  children: ReactNode;
}

function Step({ icon, button, run, more, children }: StepProps) {
  const action = useAction();
  const press = async () => {
    const result = await action.run("step", run);
    if (result) showDelivery(result);
  };
  return (
    <div className="next-step">
      {icon}
      <span className="next-text">{children}</span>
      <Link href={more}>More</Link>
      <Button size="compact-sm" loading={action.running !== null} onClick={() => void press()}>{button}</Button>
    </div>
  );
}
