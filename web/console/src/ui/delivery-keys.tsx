// Keys of buyers and of a product's list, without the keys themselves.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type DeliveryKey } from "../api";
import { changed } from "../lib/refresh";
import { useSession } from "../session";
import { t } from "../text";
import { GuardedButton } from "./basics";
import { ConfirmDialog } from "./dialogs";
import { notifySaved } from "./form";
import { StatusMark, type Tone } from "./marks";

export const keysPath = "/api/data/delivery-key";
export const keyPath = (key: DeliveryKey) => `${keysPath}/${encodeURIComponent(key.id)}`;
const tones = { FREE: "neutral", ASSIGNED: "good", REVOKED: "bad" } satisfies Record<DeliveryKey["status"], Tone>;

export const KeyStatus = ({ value }: { value: DeliveryKey["status"] }) => (
  <StatusMark tone={tones[value]}>{t(`keyStatus.${value}`)}</StatusMark>
);

/** The last characters of a key. One that is so short that they would give it away has none. */
export const hintOf = (key: DeliveryKey) => (key.hint ? `…${key.hint}` : t("deliveryKeys.noHint"));

/** Removes a free key, or gives a buyer another one. Nothing can be done with a revoked key. */
export function KeyAction({ of: key }: { of: DeliveryKey }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  if (key.status === "REVOKED") return null;
  const action = key.status === "FREE" ? "remove" : "replace";
  const run = async () => {
    if (action === "remove") await api.delete(keyPath(key));
    else await api.post(`${keyPath(key)}/replace`);
    notifySaved(t(action === "remove" ? "deliveryKeys.removed" : "deliveryKeys.replaced"));
    await changed(queries, "deliverable", "entitlement");
  };
  return (
    <>
      <GuardedButton
        allowed={may("data.write")}
        size="compact-sm"
        variant="default"
        flex="none"
        onClick={() => setAsking(true)}
      >
        {t(`deliveryKeys.${action}`)}
      </GuardedButton>
      {asking && (
        <ConfirmDialog
          danger
          title={t(`deliveryKeys.${action}Title`)}
          text={t(`deliveryKeys.${action}Text`, { hint: key.hint ? hintOf(key) : "" })}
          button={t(`deliveryKeys.${action}`)}
          run={run}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}
