// Payments at all processors, with everything that a buyer, time or a bank can do to them.
import { Button, Group, Modal, Paper, SegmentedControl, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { money, moneyInput, parseMoney } from "../../../console/src/lib/format";
import { When } from "../../../console/src/ui/marks";
import { type Delivered, showDelivery, useAction } from "../action";
import { call, useSandbox, type Payment, type PaymentAction } from "../state";
import { Empty, Page, PartyStatus } from "./parts";

const labels: Record<PaymentAction, string> = {
  pay: "Pay in full",
  see: "Mark as received",
  payPart: "Pay part",
  overpay: "Overpay",
  payLate: "Pay late",
  expire: "Let it expire",
  refund: "Refund",
  dispute: "Dispute",
  completeRefund: "Complete the refund",
  failRefund: "Let the refund fail",
};

/** Of which share of the amount the form for an amount first speaks. */
const shares: Partial<Record<PaymentAction, number>> = { payPart: 0.5, overpay: 1.2 };

export function PaymentsPage() {
  const { payments, refundsWait } = useSandbox();
  const { running, run } = useAction();
  const [shown, setShown] = useState("all");
  const waiting = payments.filter((payment) => payment.actions.includes("pay"));
  const list = shown === "all" ? payments : waiting;
  return (
    <Page
      title="Payments"
      text="Every payment that the server has started with a payment provider. You play the buyer and the bank."
      actions={
        <Group gap="md">
          <Switch
            label="Refunds take time"
            checked={refundsWait}
            disabled={running !== null}
            onChange={(event) => {
              const wait = event.currentTarget.checked;
              void run("refunds", () => call("PUT", "/refunds", { wait }));
            }}
          />
          <SegmentedControl
            aria-label="Which payments"
            value={shown}
            onChange={setShown}
            data={[{ value: "all", label: "All" }, { value: "waiting", label: `Waiting (${waiting.length})` }]}
          />
        </Group>
      }
    >
      {list.length === 0 && <Empty title="No payments waiting" text="A payment appears here as soon as someone chooses how to pay, in the chat or on an invoice page." />}
      <Stack gap="sm">
        {list.map((payment) => <PaymentCard key={payment.id} payment={payment} />)}
      </Stack>
    </Page>
  );
}

export function payFull(payment: Payment): Promise<Delivered> {
  return call<Delivered>("POST", `/payments/${encodeURIComponent(payment.id)}/pay`, {});
}

function PaymentCard({ payment }: { payment: Payment }) {
  const { parties } = useSandbox();
  const { running, run } = useAction();
  const [asking, setAsking] = useState<PaymentAction | null>(null);
  const send = async (action: PaymentAction, amountCents?: number) => {
    const body = amountCents === undefined ? {} : { amountCents };
    const result = await run(action, () => call<Delivered>("POST", `/payments/${encodeURIComponent(payment.id)}/${action}`, body));
    if (result) showDelivery(result);
  };
  const party = parties.find((each) => each.name === payment.party)?.title ?? payment.party;
  const isOpen = payment.actions.includes("pay");
  return (
    <Paper component="article" className="record" aria-label={`Payment of order ${payment.orderNumber}`}>
      <div className="record-facts">
        <Group gap="xs">
          <Text fw={600} className="break-anywhere">{payment.orderNumber}</Text>
          <PartyStatus value={payment.status} />
        </Group>
        <Text c="dimmed" size="sm">
          {party} · <When at={payment.createdAt} />
          {isOpen && payment.expiresAt !== null && <> · expires <When at={payment.expiresAt} /></>}
        </Text>
      </div>
      <div className="record-amount">
        <Text fw={600} fz={18} className="numeric">{money(payment.amountCents, payment.currency)}</Text>
        {payment.paidCents > 0 && <Text c="dimmed" size="sm" className="numeric">{money(payment.paidCents, payment.currency)} paid{payment.late && " late"}</Text>}
        {payment.refundedCents > 0 && <Text c="dimmed" size="sm" className="numeric">{money(payment.refundedCents, payment.currency)} returned</Text>}
      </div>
      {payment.actions.length > 0 && (
        <Group gap="xs" className="record-actions">
          {payment.actions.map((action) => (
            <Button
              key={action}
              variant={action === "pay" ? "filled" : "default"}
              loading={running === action}
              onClick={() => (shares[action] === undefined ? void send(action) : setAsking(action))}
            >
              {labels[action]}
            </Button>
          ))}
        </Group>
      )}
      {asking !== null && <AmountDialog payment={payment} action={asking} send={send} close={() => setAsking(null)} />}
    </Paper>
  );
}

interface AmountDialogProps {
  payment: Payment;
  action: PaymentAction;
  send: (action: PaymentAction, amountCents: number) => Promise<void>;
  close: () => void;
}

function AmountDialog({ payment, action, send, close }: AmountDialogProps) {
  const proposal = Math.round(payment.amountCents * (shares[action] ?? 1));
  const [text, setText] = useState(moneyInput(proposal, payment.currency));
  const cents = parseMoney(text, payment.currency);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (cents === null || cents < 1) return;
    close();
    void send(action, cents);
  };
  return (
    <Modal opened onClose={close} title={`${labels[action]}: order ${payment.orderNumber}`}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={`Amount in ${payment.currency}`}
            description={`Due: ${money(payment.amountCents - payment.paidCents, payment.currency)}`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={cents === null ? "Enter an amount such as 12.50." : null}
            inputMode="decimal"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>Cancel</Button>
            <Button type="submit" disabled={cents === null || cents < 1}>
              {cents === null ? "Pay" : `Pay ${money(cents, payment.currency)}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
