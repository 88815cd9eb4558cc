// Shipping addresses of orders. The API keeps them as they were given: the chat bot writes some as one `text`.
import { currentLanguage } from "../text";

export const addressFields = ["name", "line1", "line2", "postalCode", "city", "state", "country"] as const;
export type AddressField = (typeof addressFields)[number];

/** The known parts. What else the address has is a part of the first line. */
export function addressParts(address: object | null | undefined): Record<AddressField, string> {
  const texts = Object.entries(address ?? {}).filter(
    (part): part is [string, string] => typeof part[1] === "string" && part[1].trim() !== "",
  );
  const isKnown = (key: string) => addressFields.some((field) => field === key);
  const known = Object.fromEntries(addressFields.map((field) => [field, ""])) as Record<AddressField, string>;
  Object.assign(known, Object.fromEntries(texts.filter(([key]) => isKnown(key))));
  known.line1 = [known.line1, ...texts.filter(([key]) => !isKnown(key)).map(([, text]) => text)]
    .filter(Boolean)
    .join("\n");
  return known;
}

/** `DE` is `Germany`. What is no code stays as it is. */
function countryName(country: string): string {
  if (!/^[A-Z]{2}$/.test(country)) return country;
  return new Intl.DisplayNames(currentLanguage(), { type: "region", fallback: "code" }).of(country) ?? country;
}

/** The lines of an address as they stand on a parcel. */
export function addressLines(address: object | null | undefined, customer: string): string[] {
  const { name, line1, line2, postalCode, city, state, country } = addressParts(address);
  const place = [[postalCode, city].filter(Boolean).join(" "), state].filter(Boolean).join(", ");
  return [name || customer, ...line1.split(/\r?\n/), line2, place, countryName(country)].filter(Boolean);
}
