// The first run: five steps from an empty shop to a trial purchase. Each can be done later; the home page keeps the list.
import { Alert, Button, Group, Paper, SimpleGrid, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconArrowRight } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { Page } from "@guildhall/client";
import { api, type Order, type Product } from "../../api";
import { checklistSteps, useChecklist, type ChecklistStep } from "../../lib/checklist";
import { currencies } from "../../lib/currencies";
import { money, parseMoney } from "../../lib/format";
import { shopCurrency } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { rightName } from "../../lib/roles";
import { Empty, PageHead, Status } from "../../ui/basics";
import { amountWrong, FormPage, notifySaved } from "../../ui/form";
import { SearchSelect } from "../../ui/search-select";
import { StepIcon } from "../../ui/step-icon";
import { BotTrial } from "../chat/bot-trial";
import { BrandingCard } from "../settings/branding";
import { ConnectServer } from "../chat/chat-server";
import { ChatConnection, useChatSetup, VerificationBanner } from "../chat/chat-connection";
import { PaymentMethods } from "../payments/payment-methods";
import { ShopSettingsForm } from "../settings/shop-settings";

const contents: Record<ChecklistStep, () => ReactNode> = {
  shop: () => (
    <Stack>
      <BrandingCard />
      <ShopSettingsForm firstRun />
    </Stack>
  ),
  chat: () => <ChatStep />,
  product: () => <ProductStep />,
  payments: () => <PaymentMethods />,
  trial: () => <TrialStep />,
};

export function WelcomePage() {
  const { may } = useSession();
  if (may("admin.access")) return <Steps />;
  return (
    <>
      <PageHead title={t("welcome.title")} />
      <Text>{t("permission.page", { name: rightName("admin.access") })}</Text>
    </>
  );
}

function Steps() {
  const { values, change } = useUrlState(["step"]);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const checklist = useChecklist();
  const heading = useRef<HTMLHeadingElement>(null);
  const step = checklistSteps.find((each) => each === values.step) ?? "shop";
  const index = checklistSteps.indexOf(step);
  const next = checklistSteps[index + 1];
  const Content = contents[step];
  const first = useRef(true);
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["checklist"] });
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [step, queries]);
  return (
    <>
      <PageHead title={t("welcome.title")} />
      <Text c="dimmed" mb="lg" maw={640}>
        {t("welcome.text")}
      </Text>
      <div className="steps">
        <nav aria-label={t("welcome.steps")}>
          <ol>
            {checklistSteps.map((each, number) => (
              <li key={each}>
                <Link href={`/welcome?step=${each}`} aria-current={each === step ? "step" : undefined}>
                  <StepIcon done={checklist.data?.[each] ?? false} />
                  <span className="steps-name">
                    {number + 1}. {t(`step.${each}`)}
                  </span>
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <Stack maw={674} gap="md">
          <div>
            <Text size="sm" c="dimmed">
              {t("welcome.count", { number: index + 1, count: checklistSteps.length })}
            </Text>
            <Title order={2} ref={heading} tabIndex={-1} style={{ outline: "none" }}>
              {t(`step.${step}`)}
            </Title>
            <Text c="dimmed" mt={4}>
              {t(`stepText.${step}`)}
            </Text>
          </div>
          <Content key={step} />
          <Group justify="space-between" mt="md">
            {index > 0 ? (
              <Button variant="default" onClick={() => change({ step: checklistSteps[index - 1]! })}>
                {t("welcome.back")}
              </Button>
            ) : (
              <span />
            )}
            {next ? (
              <Button
                variant={checklist.data?.[step] ? "filled" : "default"}
                rightSection={<IconArrowRight size={16} />}
                onClick={() => change({ step: next })}
              >
                {t(checklist.data?.[step] ? "welcome.next" : "welcome.later")}
              </Button>
            ) : (
              <Button onClick={() => navigate("/")}>{t("welcome.finish")}</Button>
            )}
          </Group>
        </Stack>
      </div>
    </>
  );
}

function ChatStep() {
  const setup = useChatSetup();
  const checklist = useChecklist();
  return (
    <Stack>
      {setup.data && <VerificationBanner setup={setup.data} />}
      <Paper>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <StepIcon done={checklist.data?.chat ?? false} />
          <Stack gap="md">
            <Text>{t(checklist.data?.chat ? "welcome.chatBound" : "chat.emptyText")}</Text>
            {checklist.data && !checklist.data.chat && <ConnectServer primary />}
          </Stack>
        </Group>
      </Paper>
      <ChatConnection />
    </Stack>
  );
}

/** A SKU that fits the name, which the person may change later. */
export function skuOf(name: string): string {
  const german = { Ä: "AE", Ö: "OE", Ü: "UE", ẞ: "SS" };
  const plain = name
    .trim()
    .toUpperCase()
    .replace(/[ÄÖÜẞ]/g, (letter) => german[letter as keyof typeof german])
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
  return (
    plain
      .replace(/[^A-Z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40) || "PRODUCT-1"
  );
}

function ProductStep() {
  const queries = useQueryClient();
  const products = useQuery({
    queryKey: ["/api/data/product", "first"],
    queryFn: () => api.get<Page<Product>>("/api/data/product", { query: { limit: 5 } }),
  });
  const form = useForm({
    initialValues: { name: "", price: "", currency: shopCurrency(), isDigital: false },
    validate: {
      name: (name) => (name.trim() === "" ? t("welcome.nameMissing") : null),
      price: (price, values) => (parseMoney(price, values.currency) === null ? amountWrong(values.currency) : null),
    },
  });
  const save = async ({ name, price, currency, isDigital }: typeof form.values) => {
    await api.post<Product>("/api/data/product", {
      name: name.trim(),
      sku: skuOf(name),
      priceCents: parseMoney(price, currency),
      currency,
      isDigital,
    });
    form.reset();
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["/api/data/product"] }),
      queries.invalidateQueries({ queryKey: ["checklist"] }),
    ]);
    notifySaved();
  };
  return (
    <Stack>
      {products.data?.items.map((product) => (
        <Paper key={product.id}>
          <Group justify="space-between">
            <Link href={`/products/${product.id}`} className="row-link">
              {product.name}
            </Link>
            <span className="numeric">{money(product.priceCents, product.currency)}</span>
          </Group>
        </Paper>
      ))}
      <Paper>
        <FormPage form={form} isNew saveLabel={t("products.add")} save={save}>
          <TextInput label={t("products.name")} required maxLength={200} {...form.getInputProps("name")} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t("products.price")}
              required
              inputMode="decimal"
              placeholder="15.00"
              {...form.getInputProps("price")}
            />
            <SearchSelect label={t("products.currency")} data={currencies} {...form.getInputProps("currency")} />
          </SimpleGrid>
          <Switch label={t("welcome.digital")} {...form.getInputProps("isDigital", { type: "checkbox" })} />
        </FormPage>
      </Paper>
    </Stack>
  );
}

function TrialStep() {
  const checklist = useChecklist();
  const orders = useQuery({
    queryKey: ["/api/data/order", "trial"],
    queryFn: () => api.get<Page<Order>>("/api/data/order", { query: { limit: 3 } }),
  });
  const missing =
    checklist.data && (!checklist.data.product ? "product" : !checklist.data.payments ? "payments" : null);
  return (
    <Stack>
      {missing && (
        <Alert color="yellow">
          {t(missing === "product" ? "welcome.needsProduct" : "welcome.needsPayments")}{" "}
          <Link href={`/welcome?step=${missing}`}>{t(`step.${missing}`)}</Link>
        </Alert>
      )}
      <Paper>
        <BotTrial />
      </Paper>
      <Paper>
        <Title order={3} fz={16} mb="xs">
          {t("welcome.orders")}
        </Title>
        {orders.data?.items.length === 0 && <Empty title={t("orders.empty")} text={t("welcome.noOrders")} />}
        <Stack gap="sm">
          {orders.data?.items.map((order) => (
            <Group key={order.id} justify="space-between">
              <Link href={`/orders/${order.id}`} className="row-link">
                {order.orderNumber}
              </Link>
              <Status value={order.status} kind="orderStatus" />
              <span className="numeric">{money(order.totalCents, order.currency)}</span>
            </Group>
          ))}
        </Stack>
        {(orders.data?.items.length ?? 0) > 0 && (
          <Text c="dimmed" mt="sm">
            {t("welcome.markPaid")}
          </Text>
        )}
      </Paper>
    </Stack>
  );
}
