// The first run of an empty installation in a browser alone: from the printed link to the refund of the first order, with the
// sandbox as chat platform, payment processor and shipping provider.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, picture, violations, watchedPage } from './browser.mjs';
import { actAs, addParcel, buy, command, pay } from './chat-page.mjs';
import { becomeOwner } from './first-owner.mjs';
import { startSandboxedServer } from './sandbox.mjs';
import { pairs } from './server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

async function emptyInstallation(t, pair) {
  const started = await startSandboxedServer({ variables: { SERVICE_ENV: 'development', LOCAL_ADMIN_PASSWORD: '' }, pair });
  t.after(async () => {
    await started.server.stop();
    await started.sandbox.stop();
  });
  return started;
}

async function describeShop(page) {
  await page.getByRole('textbox', { name: 'Shop name' }).fill('The Mug Guild');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('header').getByText('The Mug Guild').waitFor();
  await page.getByRole('button', { name: 'Save currency and time zone' }).click();
  await page.getByRole('button', { name: 'Save currency and time zone' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Next step' }).click();
}

/** Adds the bot to the sandbox's server, in a tab of its own, and comes back to a step that is done. */
async function connectServer(page, context, server) {
  await page.getByRole('heading', { level: 2, name: 'Connect your chat server' }).waitFor();
  await page.getByRole('button', { name: 'Connect a chat server' }).click();
  await page.getByText(/^\/register code:[A-Z2-7-]{19}$/).waitFor();
  await picture(page, 'first-run-connect', { fullPage: true });
  assert.deepEqual(await violations(page), []);
  const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Add the bot to a server' }).click()]);
  tab.setDefaultTimeout(10_000);
  await tab.getByRole('button', { name: 'Add to Lantern Guild' }).waitFor();
  assert.deepEqual(await violations(tab), []);
  await picture(tab, 'first-run-add-bot');
  await tab.getByRole('button', { name: 'Add to Lantern Guild' }).click();
  await tab.waitForURL(`${server.url}/console/chat?server=connected`);
  await tab.getByText('The chat server is connected').waitFor();
  await picture(tab, 'first-run-connected', { fullPage: true });
  assert.deepEqual(await violations(tab), []);
  await tab.close();
  await page.bringToFront();
  await page.getByText('Your shop is connected to a chat server.').waitFor();
  await page.getByRole('link', { name: /Connect your chat server/ }).getByRole('img', { name: 'Done' }).waitFor();
  await page.getByRole('button', { name: 'Next step' }).click();
}

async function addProduct(page) {
  await page.getByRole('textbox', { name: 'Name' }).fill('Guild mug');
  await page.getByRole('textbox', { name: 'Price' }).fill('15.00');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('link', { name: 'Guild mug' }).waitFor();
  await page.getByRole('button', { name: 'Next step' }).click();
}

async function offerBitcoin(page) {
  await page.getByRole('button', { name: /^BTCPay Server/ }).click();
  const method = page.getByRole('region', { name: /^BTCPay Server/ });
  await method.locator('label', { hasText: 'Offer this method' }).click();
  await method.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Next step' }).click();
}

/** Adds a parcel in the console, and lets the shipping provider report its way. */
async function sendParcel(page, chat, number) {
  const order = page.getByRole('heading', { level: 1, name: new RegExp(number) });
  await order.waitFor();
  const parcel = await addParcel(page, chat, number);
  const moveTo = async (step) => {
    await chat.bringToFront();
    await parcel.getByRole('button', { name: 'Next step' }).click();
    await parcel.locator('.status', { hasText: step }).waitFor();
  };
  const seeOrder = async (status) => {
    await page.bringToFront();
    await page.locator('.status', { hasText: status }).first().waitFor();
  };
  await moveTo('Label created');
  await moveTo('In transit');
  await seeOrder('Shipped');
  await moveTo('Out for delivery');
  await moveTo('Delivered');
  await seeOrder('Complete');
}

for (const pair of pairs) {
  test(`the first run with ${pair} leads from the printed link to the refund of the first order`, async (t) => {
    const { server, sandbox } = await emptyInstallation(t, pair);
    const { page, context, trouble } = await watchedPage(browser, [server.url, sandbox.url], { viewport: desktop });
    await becomeOwner(page, server);
    trouble.length = 0; // the browser itself reports the 401 of a visitor
    await describeShop(page);
    await connectServer(page, context, server);
    await addProduct(page);
    await offerBitcoin(page);

    const { guild } = await sandbox.read('/sandbox/state');
    const chat = await context.newPage();
    chat.setDefaultTimeout(10_000);
    await chat.goto(`${sandbox.url}/#/chat/${guild.channels.find(({ name }) => name === 'shop').id}`);
    await actAs(chat, guild.members.find(({ displayName }) => displayName === 'Grace'));
    assert.match(await (await command(chat, 'register')).textContent(), /You are registered with The Mug Guild/);
    const number = await buy(chat, /Guild mug/, 'Bitcoin');
    await pay(chat, number);

    await page.bringToFront();
    await page.getByRole('link', { name: number }).click();
    await page.locator('.status', { hasText: 'Paid' }).first().waitFor();
    await sendParcel(page, chat, number);
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('dialog').getByLabel(/^Type/).fill(number);
    await page.getByRole('dialog').getByRole('button', { name: /^Refund .*15\.00/ }).click();
    await page.locator('.status', { hasText: 'Refunded' }).first().waitFor();

    await page.goto(`${server.url}/console/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Finish setting up your shop' }).waitFor({ state: 'detached' });
    assert.deepEqual(trouble, []);
    await context.close();
  });
}
