// Alerts in this browser: its subscription at its push service, and what the server knows of it.
import { api } from "../api";

const path = "/api/admin/alerts/subscriptions";
const scope = "/console/";

export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const toBase64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function presentSubscription(): Promise<PushSubscription | null> {
  const registration = canPush() ? await navigator.serviceWorker.getRegistration(scope) : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The id that the server has for this browser; null if the browser has no subscription. */
export async function presentSubscriptionId(): Promise<string | null> {
  const subscription = await presentSubscription();
  return (
    subscription && toBase64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)))
  );
}

/** Returns false if the person does not allow notifications of this page. */
export async function subscribeBrowser(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register(`${scope}alerts.js`, { scope });
  const { pushManager } = await navigator.serviceWorker.ready;
  const present = await pushManager.getSubscription();
  const presentKey = present?.options.applicationServerKey;
  if (present && (!presentKey || toBase64url(presentKey) !== publicKey)) await present.unsubscribe(); // of a former installation
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: fromBase64url(publicKey) })
  ).toJSON();
  await api.post(path, { endpoint, keys: { p256dh: keys?.["p256dh"], auth: keys?.["auth"] } });
  return true;
}

export async function unsubscribeBrowser(id: string): Promise<void> {
  await api.delete(`${path}/${encodeURIComponent(id)}`);
  await (await presentSubscription())?.unsubscribe();
}
