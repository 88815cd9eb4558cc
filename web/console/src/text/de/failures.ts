import type { failures as en } from "../en/failures";
import type { Texts } from "../index";

export const failures: Texts<typeof en> = {
  "failure.PERMISSION_KEY": "Dazu fehlt dir die Berechtigung.",
  "failure.LAST_TENANT_ADMIN":
    "Das ist die letzte Person mit der Rolle „Verwaltung“. Gib die Rolle zuerst jemand anderem.",
  "failure.ROLE_TAKEN": "Eine Rolle mit diesem Namen gibt es schon.",
  "failure.ROLE_IN_USE": "Jemand hat diese Rolle noch. Entziehe sie zuerst.",
  "failure.KEY_IN_USE": "Jemand hat schon eine Berechtigung mit diesem Namen. Entziehe sie zuerst.",
  "failure.USERNAME_TAKEN": "Dieser Benutzername ist schon vergeben.",
  "failure.ADDRESS_ID_TAKEN": "Der Kunde hat schon eine Adresse mit diesem Kurznamen.",
  "failure.DISCOUNT_CODE_TAKEN": "Ein anderer Rabatt hat schon diesen Code.",
  "failure.ORDER_NUMBER_TAKEN": "Eine andere Bestellung hat schon diese Nummer.",
  "failure.SKU_TAKEN": "Ein anderes Produkt hat schon diese Artikelnummer.",
  "failure.TENANT_ID_TAKEN": "Ein anderer Shop hat oder hatte schon diese ID.",
  "failure.COMMUNITY_FUND_DISABLED": "Der Gemeinschaftsfonds ist ausgeschaltet.",
  "failure.INSUFFICIENT_BALANCE": "So viel Geld ist nicht im Gemeinschaftsfonds.",
  "failure.FUND_CURRENCY_FIXED":
    "Im Gemeinschaftsfonds ist schon Geld, deshalb lässt sich die Währung nicht mehr ändern.",
  "failure.NOTHING_TO_REFUND": "Es gibt nichts mehr zu erstatten.",
  "failure.REFUND_EXCEEDS_PAYMENT": "Du kannst nicht mehr erstatten, als bezahlt wurde.",
  "failure.SECOND_FACTOR_INVALID": "Dieser Code ist falsch oder wurde schon benutzt.",
  "failure.SECOND_FACTOR_MISSING":
    "Richte zuerst deinen eigenen zweiten Faktor ein, bevor du ihn von anderen verlangst.",
  "failure.ENDPOINT_DISABLED": "Der Endpunkt ist ausgeschaltet. Schalte ihn zuerst ein.",
  "failure.CODE_REDEEMED": "Dieser Code wurde schon eingelöst.",
  "failure.PICTURE_STORAGE_FULL": "Der Speicher für die Bilder des Shops ist voll. Lösche zuerst welche.",
  "failure.ONE_KEY_POOL": "Dieses Produkt hat schon eine Schlüsselliste.",
  "failure.KEYS_OF_A_MEMBERSHIP":
    "Eine Mitgliedschaft kann keine Schlüsselliste haben: Ihre Zeit wird immer wieder verkauft.",
  "failure.TOO_MANY_DELIVERABLES": "Das Produkt hat so viele Inhalte, wie es haben kann.",
  "failure.TOO_MANY_KEYS": "Die Liste hat so viele Schlüssel, wie sie haben kann.",
  "failure.KEYS_RESERVED":
    "Noch nicht bezahlte Bestellungen halten diese Schlüssel. Warte, bis sie bezahlt oder storniert sind.",
  "failure.KEY_ASSIGNED": "Diesen Schlüssel hat schon ein Käufer.",
  "failure.KEY_NOT_ASSIGNED": "Diesen Schlüssel hat kein Käufer mehr.",
  "failure.NO_KEY_LEFT": "Es gibt keinen freien Schlüssel mehr. Füge zuerst welche hinzu.",
  "failure.NOTHING_DELIVERED": "Der Käufer hat noch nichts, was erneut gesendet werden könnte.",
  "failure.STOCK_IS_KEYS": "Der Bestand dieses Produkts ist die Zahl seiner freien Schlüssel.",
};
