import { beforeEach, expect, test, vi } from "vitest";

async function inLanguage(language: string) {
  localStorage.setItem("guildhall.language", language);
  vi.resetModules();
  return (await import("./field-messages")).fieldMessage;
}

beforeEach(() => localStorage.clear());

test("the server's usual sentences about a field are translated, with their numbers", async () => {
  const fieldMessage = await inLanguage("de");
  expect(fieldMessage("is required")).toBe("ist erforderlich");
  expect(fieldMessage("must have at most 200 characters")).toBe("darf höchstens 200 Zeichen haben");
  expect(fieldMessage("must be an integer from 1 to 1000000")).toBe("muss eine ganze Zahl von 1 bis 1000000 sein");
  expect(fieldMessage("must be a valid email address")).toBe("muss eine gültige E-Mail-Adresse sein");
  expect(fieldMessage("must be a colour such as #1a2b3c")).toBe("muss eine Farbe wie #1a2b3c sein");
});

test("a sentence that is not known stays as it is, and so do all in English", async () => {
  expect((await inLanguage("de"))("must be a plan of the same group and currency")).toBe(
    "must be a plan of the same group and currency",
  );
  const english = await inLanguage("en");
  for (const text of ["is required", "must have at most 200 characters", "something else"])
    expect(english(text)).toBe(text);
});
