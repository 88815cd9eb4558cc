// How all parties deliver their webhooks: in order or not, at once or late.
import { Button, Group, NumberInput, Popover, Radio, Stack } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { useState } from "react";
import { useAction } from "../action";
import { call, useSandbox, type Delivery } from "../state";

function summary({ order, delaySeconds }: Delivery): string {
  const delay = delaySeconds > 0 ? `${delaySeconds} s late` : "at once";
  return order === "reversed" ? `Webhooks: out of order, ${delay}` : `Webhooks: ${delay}`;
}

export function DeliverySettings() {
  const { delivery } = useSandbox();
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} trapFocus withArrow position="bottom-end">
      <Popover.Target>
        <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setOpen(!open)}>{summary(delivery)}</Button>
      </Popover.Target>
      <Popover.Dropdown maw={340}>
        <DeliveryForm delivery={delivery} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function DeliveryForm({ delivery, close }: { delivery: Delivery; close: () => void }) {
  const { running, run } = useAction();
  const [order, setOrder] = useState<Delivery["order"]>(delivery.order);
  const [delay, setDelay] = useState<number | string>(delivery.delaySeconds);
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    const saved = await run("save", async () => {
      await call("PUT", "/delivery", { order, delaySeconds: Number(delay) });
      return true;
    });
    if (saved) close();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap="sm">
        <Radio.Group label="Order" value={order} onChange={(value) => setOrder(value as Delivery["order"])}>
          <Stack gap={6} mt={4}>
            <Radio value="normal" label="As things happen" />
            <Radio value="reversed" label="Out of order" description="Holds two webhooks and sends the later one first." />
          </Stack>
        </Radio.Group>
        <NumberInput label="Delay" suffix=" s" value={delay} onChange={setDelay} min={0} max={3600} allowDecimal={false} />
        <Group justify="flex-end">
          <Button type="submit" loading={running !== null} disabled={delay === ""}>Use for all webhooks</Button>
        </Group>
      </Stack>
    </form>
  );
}
