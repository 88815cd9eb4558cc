// All texts of the console: one catalogue per language, in files by area. `t("orders.title")` finds a text and fills its
// {places}. English is part of the first load; another language is loaded before anything is shown.
import { en } from "./en";

/** The texts of one area in another language: the same keys as in English. */
export type Texts<English> = { [Key in keyof English]: string };
export type Catalogue = Texts<typeof en>;
export type TextKey = keyof Catalogue;
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const storageKey = "guildhall.language";

function chosenLanguage(): Language {
  const stored = localStorage.getItem(storageKey) ?? navigator.language.slice(0, 2);
  return stored in languages ? (stored as Language) : "en";
}

const language = chosenLanguage();
const catalogue: Catalogue = language === "de" ? (await import("./de")).de : en;
document.documentElement.lang = language;

export function currentLanguage(): Language {
  return language;
}

/** The page is loaded again, so that every text and number changes at once. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  location.reload();
}

/** The text, or `otherwise` for a value that the catalogue does not know yet. */
export function textOr(key: string, otherwise: string): string {
  return key in catalogue ? t(key as TextKey) : otherwise;
}

export function t(key: TextKey, places: Record<string, string | number> = {}): string {
  return catalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole));
}
