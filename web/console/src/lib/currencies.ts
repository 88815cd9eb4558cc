import { currentLanguage } from "../text";

/** The currencies that this browser knows, which are the active ones of ISO 4217; the server checks again. */
export const currencies: string[] = Intl.supportedValuesOf("currency");

/** The same with their names, for a field in which people search. */
export function currencyChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(currentLanguage(), { type: "currency" });
  return currencies.map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }));
}

export function timeZoneChoices(chosen: string): string[] {
  return [...new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")])];
}

const euro = "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" ");
const ofRegion: Record<string, string> = {
  ...Object.fromEntries(euro.map((region) => [region, "EUR"])),
  AE: "AED",
  AR: "ARS",
  AU: "AUD",
  BG: "BGN",
  BR: "BRL",
  CA: "CAD",
  CH: "CHF",
  CL: "CLP",
  CN: "CNY",
  CO: "COP",
  CZ: "CZK",
  DK: "DKK",
  EG: "EGP",
  GB: "GBP",
  HK: "HKD",
  HU: "HUF",
  ID: "IDR",
  IL: "ILS",
  IN: "INR",
  IS: "ISK",
  JP: "JPY",
  KE: "KES",
  KR: "KRW",
  KW: "KWD",
  LI: "CHF",
  MA: "MAD",
  MX: "MXN",
  MY: "MYR",
  NG: "NGN",
  NO: "NOK",
  NZ: "NZD",
  PE: "PEN",
  PH: "PHP",
  PK: "PKR",
  PL: "PLN",
  RO: "RON",
  RS: "RSD",
  SA: "SAR",
  SE: "SEK",
  SG: "SGD",
  TH: "THB",
  TR: "TRY",
  TW: "TWD",
  UA: "UAH",
  US: "USD",
  VN: "VND",
  ZA: "ZAR",
};

/** A guess from the browser's languages, for a shop that has chosen none yet. */
export function likelyCurrency(): string {
  const regions = navigator.languages.map((language) => new Intl.Locale(language).maximize().region ?? "");
  return regions.map((region) => ofRegion[region]).find(Boolean) ?? "USD";
}
