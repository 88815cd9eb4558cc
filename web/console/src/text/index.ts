// All texts of the console, in one catalogue per language. `t("orders.title")` finds a text and fills its {places}.
import { de } from "./de";
import { en } from "./en";

export type Catalogue = { [Key in keyof typeof en]: string };
export type TextKey = keyof Catalogue;
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const catalogues: Record<Language, Catalogue> = { en, de };
const storageKey = "guildhall.language";

function chosenLanguage(): Language {
  const stored = localStorage.getItem(storageKey) ?? navigator.language.slice(0, 2);
  return stored in languages ? (stored as Language) : "en";
}

let language = chosenLanguage();
document.documentElement.lang = language;

export function currentLanguage(): Language {
  return language;
}

/** The page is loaded again, so that every text and number changes at once. */
export function chooseLanguage(chosen: Language): void {
  language = chosen;
  localStorage.setItem(storageKey, chosen);
  location.reload();
}

/** The text, or `otherwise` for a value that the catalogue does not know yet. */
export function textOr(key: string, otherwise: string): string {
  return key in catalogues[language] ? t(key as TextKey) : otherwise;
}

export function t(key: TextKey, places: Record<string, string | number> = {}): string {
  return catalogues[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole));
}
