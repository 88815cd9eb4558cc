// What the server says about a wrong field, in the language of the console. The English texts `wrong.…` are the server's own
// sentences, so that a sentence is recognised by its shape; one that is not among them is shown as it came.
import { en } from "../text/en";
import { t, type TextKey } from "../text";

const shapes = Object.entries(en)
  .filter(([key]) => key.startsWith("wrong."))
  .map(([key, text]) => ({
    key: key as TextKey,
    shape: new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "s"),
  }));

export function fieldMessage(message: string): string {
  for (const { key, shape } of shapes) {
    const found = shape.exec(message);
    if (found) return t(key, found.groups);
  }
  return message;
}
