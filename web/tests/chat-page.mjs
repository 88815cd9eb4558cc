// What people do on the pages of the sandbox.

/** Becomes another member of the chat server. */
export async function actAs(page, member) {
  await page.getByRole('button', { name: /^You are / }).click();
  await page.getByRole('menuitem', { name: member.displayName }).click();
  await page.getByRole('button', { name: `You are ${member.displayName}` }).waitFor();
}

/** Types the command, takes the proposal, sends it, and returns the bot's answer. */
export async function command(page, name) {
  const used = page.locator('.message').filter({ hasText: `used /${name}` });
  const before = await used.count();
  await page.getByRole('combobox', { name: /^Message in/ }).fill(`/${name}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Send /${name}` }).press('Enter');
  await used.nth(before).waitFor();
  return used.nth(before);
}

async function choose(page, placeholder, option) {
  await page.getByRole('log').getByPlaceholder(placeholder).last().click();
  await page.getByRole('option', { name: option }).click();
}

const address = 'Grace Okonkwo\nHarbour Road 1\nBergen, Vestland, 5003, Norway';

/** Buys from the bot, up to the payment, and returns the order's number. */
export async function buy(page, product, method) {
  await page.bringToFront(); // the browser slows down pages that nobody sees
  await command(page, 'shop');
  const numbers = async () => (await page.getByRole('log').getByText(/^Order \S+$/).allTextContents()).map((text) => text.replace('Order ', ''));
  const before = new Set(await numbers());
  // Earlier messages stay, so each step waits for its own answer.
  const buttons = page.getByRole('log').getByRole('button', { name: 'Buy', exact: true }), buttonsBefore = await buttons.count();
  await choose(page, 'Choose a product', product);
  await buttons.nth(buttonsBefore).waitFor();
  await buttons.last().click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Submit' }).waitFor();
  if (await form.getByLabel('Shipping address').count() > 0) await form.getByLabel('Shipping address').fill(address);
  const methods = page.getByRole('log').getByPlaceholder('How do you want to pay?'), methodsBefore = await methods.count();
  await form.getByRole('button', { name: 'Submit' }).click();
  await methods.nth(methodsBefore).waitFor();
  await choose(page, 'How do you want to pay?', method);
  for (let tries = 0; tries < 150; ++tries) {
    const number = (await numbers()).find((each) => !before.has(each));
    if (number) return number;
    await page.waitForTimeout(100);
  }
  throw new Error('the bot has shown no new order');
}

/** Pays the order, beside the chat. */
export async function pay(page, number) {
  const step = page.locator('.next-step').filter({ hasText: number });
  await step.getByRole('button', { name: 'Pay in full' }).click();
  await step.waitFor({ state: 'detached' });
  await page.getByText('The server accepted the webhook (200).').last().waitFor();
}

/**
 * Adds a parcel to the order that the console shows, and lets the sandbox's shipping provider track it. Returns the parcel on the
 * page of the sandbox.
 */
export async function addParcel(page, chat, number) {
  await page.getByRole('button', { name: 'Add parcel' }).click();
  const adding = page.getByRole('dialog');
  await adding.getByLabel('Carrier').fill('USPS');
  await adding.getByLabel('Tracking number').fill('9400110200881234567890');
  await adding.getByRole('button', { name: 'Add parcel' }).click();
  await page.getByRole('button', { name: 'USPS · 9400110200881234567890' }).waitFor();

  await chat.bringToFront();
  await chat.getByRole('link', { name: /^Parcels/ }).click();
  await chat.getByRole('button', { name: 'Track a parcel' }).click();
  const form = chat.getByRole('dialog');
  await form.getByLabel('Tracking number').fill('9400110200881234567890');
  await form.getByLabel('Carrier').fill('USPS');
  await form.getByLabel('Order number').fill(number);
  await form.getByRole('button', { name: 'Track the parcel' }).click();
  return chat.getByRole('article', { name: `Parcel ${number}` });
}
