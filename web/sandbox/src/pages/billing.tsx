// Subscriptions of shops at the billing provider.
import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { type Delivered, showDelivery, useAction } from "../action";
import { call, useSandbox, type Subscription } from "../state";
import { Empty, Page, PartyStatus } from "./parts";

const labels = { renew: "Renew", fail: "Fail the payment", cancel: "Cancel" };

export function BillingPage() {
  const { subscriptions } = useSandbox();
  return (
    <Page title="Billing" text="The subscriptions at the billing provider with which shops pay for this installation.">
      {subscriptions.length === 0 && <Empty title="No subscriptions yet" text="Every shop that is created on the console's Platform page, or with /register on a new chat server, gets a subscription here." />}
      <Stack gap="sm">
        {subscriptions.map((subscription) => <SubscriptionCard key={subscription.id} subscription={subscription} />)}
      </Stack>
    </Page>
  );
}

function SubscriptionCard({ subscription }: { subscription: Subscription }) {
  const { running, run } = useAction();
  const send = async (action: Subscription["actions"][number]) => {
    const result = await run(action, () => call<Delivered>("POST", `/subscriptions/${encodeURIComponent(subscription.id)}/${action}`, {}));
    if (result) showDelivery(result);
  };
  return (
    <Paper component="article" className="record" aria-label={`Subscription of ${subscription.tenant}`}>
      <div className="record-facts">
        <Group gap="xs">
          <Text fw={600} className="break-anywhere">{subscription.tenant}</Text>
          <PartyStatus value={subscription.status} />
        </Group>
        <Text c="dimmed" size="sm" className="break-anywhere">{subscription.plan} · until {new Date(subscription.periodEnd).toLocaleDateString("en", { dateStyle: "medium" })} · {subscription.id}</Text>
      </div>
      {subscription.actions.length > 0 && (
        <Group gap="xs" className="record-actions">
          {subscription.actions.map((action) => (
            <Button key={action} variant={action === "renew" ? "filled" : "default"} loading={running === action} onClick={() => void send(action)}>
              {labels[action]}
            </Button>
          ))}
        </Group>
      )}
    </Paper>
  );
}
