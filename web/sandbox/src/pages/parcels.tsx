// Parcels at the shipping provider, which move step by step.
import { Button, Group, Modal, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Delivered, showDelivery, useAction } from "../action";
import { call, useSandbox, type Parcel } from "../state";
import { Empty, Page, PartyStatus } from "./parts";

const labels = { next: "Next step", fail: "Fail delivery" };
const steps = [
  { status: "pre_transit", title: "Label" },
  { status: "in_transit", title: "In transit" },
  { status: "out_for_delivery", title: "Out for delivery" },
  { status: "delivered", title: "Delivered" },
];

export function ParcelsPage() {
  const { parcels } = useSandbox();
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Parcels"
      text="Every parcel that the shipping provider tracks. Each step is sent to the server as a signed webhook."
      actions={<Button variant={parcels.length === 0 ? "filled" : "default"} onClick={() => setAdding(true)}>Track a parcel</Button>}
    >
      {parcels.length === 0 && <Empty title="No parcels yet" text="Enter a carrier and a tracking number for a shipment in the shop, then track the same number here." />}
      <Stack gap="sm">
        {[...parcels].reverse().map((parcel) => <ParcelCard key={parcel.id} parcel={parcel} />)}
      </Stack>
      {adding && <TrackDialog close={() => setAdding(false)} />}
    </Page>
  );
}

export function moveParcel(parcel: Parcel, action: "next" | "fail"): Promise<Delivered> {
  return call<Delivered>("POST", `/parcels/${encodeURIComponent(parcel.id)}/${action}`, {});
}

function ParcelCard({ parcel }: { parcel: Parcel }) {
  const { running, run } = useAction();
  const send = async (action: "next" | "fail") => {
    const result = await run(action, () => moveParcel(parcel, action));
    if (result) showDelivery(result);
  };
  const title = parcel.orderNumber === "" ? parcel.trackingNumber : parcel.orderNumber;
  return (
    <Paper component="article" className="record" aria-label={`Parcel ${title}`}>
      <div className="record-facts">
        <Group gap="xs">
          <Text fw={600} className="break-anywhere">{title}</Text>
          <PartyStatus value={parcel.status} />
        </Group>
        <Text c="dimmed" size="sm" className="break-anywhere">{[parcel.carrier, parcel.trackingNumber].filter(Boolean).join(" · ")}</Text>
      </div>
      <Steps status={parcel.status} />
      {parcel.actions.length > 0 && (
        <Group gap="xs" className="record-actions">
          {parcel.actions.map((action) => (
            <Button key={action} variant={action === "next" ? "filled" : "default"} loading={running === action} onClick={() => void send(action)}>
              {labels[action]}
            </Button>
          ))}
        </Group>
      )}
    </Paper>
  );
}

/** Where the parcel is, as a line of steps. */
function Steps({ status }: { status: string }) {
  const reached = steps.findIndex((step) => step.status === status);
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={step.status} className={index <= reached ? "step step-done" : "step"} aria-current={index === reached ? "step" : undefined}>
          {step.title}
        </li>
      ))}
    </ol>
  );
}

function TrackDialog({ close }: { close: () => void }) {
  const { running, run } = useAction();
  const [values, setValues] = useState({ trackingNumber: "", carrier: "", orderNumber: "" });
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setValues({ ...values, [name]: event.currentTarget.value }),
    maxLength: 200,
  });
  const track = async (event: React.FormEvent) => {
    event.preventDefault();
    const added = await run("add", async () => {
      await call("POST", "/parcels", values);
      return true;
    });
    if (added) close();
  };
  return (
    <Modal opened onClose={close} title="Track a parcel">
      <form onSubmit={(event) => void track(event)}>
        <Stack>
          <TextInput label="Tracking number" description="The same number as in the shop." required {...field("trackingNumber")} data-autofocus />
          <TextInput label="Carrier" {...field("carrier")} />
          <TextInput label="Order number" description="Only helps you to find it on this page." {...field("orderNumber")} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>Cancel</Button>
            <Button type="submit" loading={running !== null} disabled={values.trackingNumber.trim() === ""}>Track the parcel</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
