// Adding and changing a part of what buyers of a product get. Only the fields of its kind are shown.
import { NumberInput, Radio, SegmentedControl, Skeleton, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { api, type Deliverable, type DeliverableContent, type Product } from "../../api";
import { valuesOf } from "../../enums";
import { instantOf, shopTime } from "../../lib/shop";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { FormPage, notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";

type Kind = Deliverable["kind"];
const kinds = valuesOf("ShownDeliverable", "kind");
const letters = (pattern: string) => pattern.split("X").length - 1;

export const hasKeys = (kind: Kind) => kind === "KEY_POOL" || kind === "KEY_GENERATED";
export const deliverablesPath = (productId: string) => `/api/data/product/${encodeURIComponent(productId)}/deliverable`;

export const deliverablePath = ({ productId, id }: Deliverable) =>
  `${deliverablesPath(productId)}/${encodeURIComponent(id)}`;

/** The link or text of a deliverable, which lists do not have. */
export const contentQuery = (deliverable: Deliverable) => ({
  queryKey: [`${deliverablePath(deliverable)}/content`],
  queryFn: () =>
    hasKeys(deliverable.kind)
      ? ""
      : api.get<DeliverableContent>(`${deliverablePath(deliverable)}/content`).then((reply) => reply.content ?? ""),
  refetchOnWindowFocus: false,
});

interface DialogProps {
  product: Product;
  /** Null: a new one. */
  deliverable: Deliverable | null;
  others: Deliverable[];
  changed: () => Promise<unknown>;
  close: () => void;
}

export function DeliverableDialog(props: DialogProps) {
  return (
    <Modal onClose={props.close} title={t(props.deliverable ? "deliverables.edit" : "deliverables.add")}>
      {props.deliverable ? (
        <PresentForm {...props} deliverable={props.deliverable} />
      ) : (
        <DeliverableForm {...props} content="" />
      )}
    </Modal>
  );
}

/** The form of a deliverable whose content is read first. */
function PresentForm(props: DialogProps & { deliverable: Deliverable }) {
  const content = useQuery(contentQuery(props.deliverable));
  if (content.error) return <ErrorNotice error={content.error} retry={() => void content.refetch()} />;
  if (content.data === undefined) return <Skeleton height={240} />;
  return <DeliverableForm {...props} content={content.data} />;
}

function DeliverableForm({ product, deliverable, others, content, changed, close }: DialogProps & { content: string }) {
  const form = useForm({
    initialValues: {
      kind: deliverable?.kind ?? ("LINK" as Kind),
      name: deliverable?.name ?? "",
      content,
      per: deliverable?.per ?? ("UNIT" as Deliverable["per"]),
      form: deliverable && !deliverable.pattern ? "signed" : "pattern",
      pattern: deliverable?.pattern ?? "XXXX-XXXX-XXXX",
      activationsMax: (deliverable?.activationsMax ?? "") as number | string,
      availableAt: deliverable?.availableAt ? shopTime(deliverable.availableAt) : "",
    },
    validate: {
      pattern: (pattern, values) =>
        values.kind === "KEY_GENERATED" && values.form === "pattern" && letters(pattern) < 12
          ? t("deliverables.patternWrong")
          : null,
    },
  });
  const { kind } = form.values;
  const poolProblem = others.some((each) => each.kind === "KEY_POOL")
    ? t("deliverables.onePool")
    : product.membership
      ? t("deliverables.noPool")
      : null;
  const save = async (values: typeof form.values) => {
    const body = {
      name: values.name,
      availableAt: values.availableAt ? instantOf(values.availableAt) : null,
      ...(hasKeys(kind)
        ? { per: values.per, activationsMax: values.activationsMax === "" ? null : Number(values.activationsMax) }
        : { content: values.content }),
      ...(kind === "KEY_GENERATED" && { pattern: values.form === "pattern" ? values.pattern : null }),
    };
    if (deliverable) await api.patch(deliverablePath(deliverable), body);
    else {
      const position = Math.max(-1, ...others.map((each) => each.position)) + 1;
      await api.post(deliverablesPath(product.id), { ...body, kind, position });
    }
    close();
    await changed();
    notifySaved();
  };
  return (
    <FormPage form={form} isNew saveLabel={t(deliverable ? "form.save" : "deliverables.add")} save={save}>
      {!deliverable && (
        <Radio.Group label={t("deliverables.kind")} {...form.getInputProps("kind")}>
          <Stack gap="xs" mt="xs">
            {kinds.map((each) => (
              <Radio
                key={each}
                value={each}
                label={t(`deliverableKind.${each}`)}
                description={(each === "KEY_POOL" && poolProblem) || t(`deliverableKindText.${each}`)}
                disabled={each === "KEY_POOL" && poolProblem !== null}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <TextInput
        label={t("deliverables.name")}
        description={t("deliverables.nameText")}
        required
        maxLength={200}
        data-autofocus={deliverable ? true : undefined}
        {...form.getInputProps("name")}
      />
      {kind === "LINK" && (
        <TextInput
          type="url"
          label={t("deliverables.link")}
          description={t("deliverables.linkText")}
          placeholder="https://"
          required
          {...form.getInputProps("content")}
        />
      )}
      {kind === "TEXT" && (
        <Textarea
          label={t("deliverables.content")}
          description={t("deliverables.contentText")}
          required
          autosize
          minRows={4}
          maxRows={12}
          maxLength={8000}
          {...form.getInputProps("content")}
        />
      )}
      {kind === "KEY_GENERATED" && (
        <Stack gap="xs">
          <Text size="sm" fw={500}>
            {t("deliverables.form")}
          </Text>
          <SegmentedControl
            fullWidth
            aria-label={t("deliverables.form")}
            data={[
              { value: "pattern", label: t("deliverables.byPattern") },
              { value: "signed", label: t("deliverables.signed") },
            ]}
            {...form.getInputProps("form")}
          />
          {form.values.form === "signed" ? (
            <Text size="sm" c="dimmed">
              {t("deliverables.signedText")}
            </Text>
          ) : (
            <TextInput
              label={t("deliverables.pattern")}
              description={t("deliverables.patternText")}
              maxLength={100}
              spellCheck={false}
              autoCapitalize="characters"
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
              {...form.getInputProps("pattern")}
            />
          )}
        </Stack>
      )}
      {hasKeys(kind) && (
        <>
          <Radio.Group label={t("deliverables.per")} {...form.getInputProps("per")}>
            <Stack gap="xs" mt="xs">
              <Radio value="UNIT" label={t("deliverables.UNIT")} />
              <Radio value="ORDER" label={t("deliverables.ORDER")} />
            </Stack>
          </Radio.Group>
          <NumberInput
            label={t("deliverables.activations")}
            description={t("deliverables.activationsText")}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps("activationsMax")}
          />
        </>
      )}
      <TextInput
        type="datetime-local"
        label={t("deliverables.availableAt")}
        description={t("deliverables.availableText")}
        {...form.getInputProps("availableAt")}
      />
    </FormPage>
  );
}
