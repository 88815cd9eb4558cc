// Other records as people call them: an order by its number, a customer by name.
import { Text } from "@mantine/core";
import { Link } from "wouter";
import { useName, type NamedKind } from "../lib/names";
import { useSession } from "../session";
import { t, textOr, type TextKey } from "../text";

const pages: Partial<Record<NamedKind, string>> = {
  order: "/orders",
  customer: "/customers",
  product: "/products",
  user: "/people",
};

/** The name of a record; `otherwise` if it is deleted. Nothing is shown while the name is read. */
export function RecordName({ kind, id, otherwise }: { kind: NamedKind; id: string; otherwise?: string }) {
  const name = useName(kind, id);
  if (name === undefined) return <span aria-busy>{"\u00a0"}</span>;
  return <span className="record-name">{name ?? otherwise ?? t("record.deleted")}</span>;
}

/** The name as a link to the record; nothing without an id. */
export function RecordLink({ kind, id }: { kind: NamedKind; id: string | null | undefined }) {
  const name = useName(kind, id);
  if (!id) return null;
  if (name === null)
    return (
      <Text span c="dimmed">
        {t("record.deleted")}
      </Text>
    );
  return (
    <Link href={`${pages[kind] ?? ""}/${id}`} className={kind === "order" ? "one-line" : "record-name"}>
      {name ?? "\u00a0"}
    </Link>
  );
}

/** Who did something: a person, a program or a member by name, a provider or the server in words. */
export function ActorName({ kind, id }: { kind: string; id: string }) {
  const { session, may } = useSession();
  if (kind === "USER" && id === session.user.userId) return t("actor.you");
  if (kind === "USER") return <RecordName kind="user" id={id} otherwise={t("actor.USER")} />;
  if (kind === "TOKEN" && !may("admin.access")) return t("actor.TOKEN");
  if (kind === "TOKEN") return <RecordName kind="token" id={id} otherwise={t("actor.TOKEN")} />;
  if (kind === "CHAT") return <RecordName kind="member" id={id} otherwise={t("actor.CHAT")} />;
  if (kind === "PROVIDER") return textOr(`provider.${id}`, t("actor.PROVIDER"));
  return textOr(`job.${id}`, t(`actor.${kind}` as TextKey));
}
