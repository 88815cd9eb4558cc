// The first owner of an empty installation.
import assert from 'node:assert/strict';

/** The link that the server has printed. */
export function linkIn(server) {
  const [link] = /\S+\/console\/setup#\S+/.exec(server.printed()) ?? [];
  assert.ok(link, `no link in: ${server.printed()}`);
  return link;
}

/** Opens the link and becomes the owner. */
export async function becomeOwner(page, server) {
  await page.goto(linkIn(server));
  await page.getByRole('textbox', { name: /^Username/ }).fill('mira');
  await page.getByRole('textbox', { name: /^Your name/ }).fill('Mira Halloran');
  await page.getByRole('textbox', { name: /^Password \*?$|^Password$/ }).fill('a long password');
  await page.getByRole('textbox', { name: 'Password again' }).fill('a long password');
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await page.getByRole('heading', { level: 2, name: 'Describe your shop' }).waitFor();
}
