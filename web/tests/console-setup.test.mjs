// The first run of an empty installation, from the printed link to a trial purchase.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, watchedPage } from './browser.mjs';
import { sweepConsole } from './console.mjs';
import { becomeOwner, linkIn } from './first-owner.mjs';
import { pairs, startServer } from './server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** Ends with its test, also with one that fails. */
async function emptyInstallation(t, pair = pairs[0]) {
  const server = await startServer({ RATE_LIMIT_DISABLED: 'true', LOCAL_ADMIN_PASSWORD: '' }, { pair });
  t.after(() => server.stop());
  return server;
}

for (const pair of pairs) {
  test(`an empty installation with ${pair} leads from its printed link to the first order`, async (t) => {
    const server = await emptyInstallation(t, pair);
    const { page, context } = await watchedPage(browser, [server.url], { viewport: desktop });
    await page.goto(`${server.url}/console/`);
    await page.getByText('This installation has no owner yet.').waitFor();
    const link = linkIn(server);
    await becomeOwner(page, server);

    await page.getByRole('textbox', { name: 'Shop name' }).fill('The Mug Guild');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('header').getByText('The Mug Guild').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Time zone' }).inputValue(), await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone));
    await page.getByRole('button', { name: 'Save currency and time zone' }).click();
    await page.getByRole('button', { name: 'Save currency and time zone' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Next step' }).click();

    await page.getByText(`${server.url}/api/chat/interactions`).waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('CHAT_BOT_TOKEN is not set.').waitFor();
    await page.getByRole('button', { name: 'Do this later' }).click();

    await page.getByRole('textbox', { name: 'Name' }).fill('Guild mug');
    await page.getByRole('textbox', { name: 'Price' }).fill('15.00');
    await page.locator('label', { hasText: 'Digital' }).click();
    await page.getByRole('button', { name: 'Add product' }).click();
    await page.getByRole('link', { name: 'Guild mug' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Räucher-Set für Zoë');
    await page.getByRole('textbox', { name: 'Price' }).fill('24.90');
    await page.getByRole('button', { name: 'Add product' }).click();
    await page.getByRole('link', { name: 'Räucher-Set' }).waitFor();
    const skus = await page.evaluate(async () => (await (await fetch('/api/data/product')).json()).items.map((product) => product.sku));
    assert.ok(skus.includes('RAEUCHER-SET-FUER-ZOE'), skus.join());
    await page.getByRole('button', { name: 'Next step' }).click();

    await page.getByRole('button', { name: /^BTCPay Server/ }).click();
    await page.getByText('/api/payments/crypto-gateway/webhook/default').waitFor();
    await page.getByRole('button', { name: /^Cash/ }).click();
    const cash = page.getByRole('region', { name: /^Cash/ });
    await cash.locator('label', { hasText: 'Offer this method' }).click();
    await cash.getByRole('textbox', { name: 'Instructions for the buyer' }).fill('Pay at the counter.');
    await cash.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Next step' }).click();

    await page.getByRole('button', { name: '/shop' }).click();
    const chat = page.getByRole('log');
    await chat.getByRole('textbox').last().click();
    await page.getByRole('option', { name: /Guild mug/ }).click();
    await chat.getByRole('button', { name: 'Buy' }).click();
    await chat.getByRole('textbox', { name: /Quantity/ }).fill('2');
    await chat.getByRole('button', { name: 'Submit' }).click();
    await chat.getByText('Your order').waitFor();
    await chat.getByRole('textbox').last().click();
    await page.getByRole('option', { name: /cash/i }).click();
    await chat.getByText('Pay at the counter.').waitFor();
    await page.getByText('Awaiting payment').waitFor();
    await page.getByRole('button', { name: 'Go to the home page' }).click();

    await page.getByRole('heading', { name: 'Finish setting up your shop' }).waitFor();
    await page.getByRole('link', { name: 'Connect your chat server' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Add your first product' }).count(), 0, 'what is done is no task any more');

    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'This link does not work' }).waitFor();
    const state = await (await fetch(`${server.url}/auth/setup`)).json();
    assert.deepEqual(state, { ownerMissing: false, passwords: true });
    await context.close();
  });
}

test('every step of the first run is accessible on a phone and a desktop, in light and dark colours', async (t) => {
  const server = await emptyInstallation(t);
  const { page, trouble, context } = await watchedPage(browser, [server.url], { viewport: desktop, colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${server.url}/console/`);
  await page.getByText('This installation has no owner yet.').waitFor();
  trouble.length = 0;  // the browser itself reports the 401 of a visitor
  const link = new URL(linkIn(server));
  const found = await sweepConsole(page, ['/', link.pathname.replace('/console', '') + link.hash], 'setup');
  await becomeOwner(page, server);
  const steps = ['shop', 'chat', 'product', 'payments', 'trial'].map((step) => `/welcome?step=${step}`);
  Object.assign(found, await sweepConsole(page, [...steps, '/'], 'setup'));
  await page.getByRole('heading', { name: 'Finish setting up your shop' }).waitFor();
  assert.deepEqual(found, {});
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the link says what is wrong beside the field, and two browsers make one owner', async (t) => {
  const server = await emptyInstallation(t);
  const first = await watchedPage(browser, [server.url], { viewport: desktop });
  await first.page.goto(linkIn(server));
  await first.page.getByRole('textbox', { name: /^Username/ }).fill('admin');
  await first.page.getByRole('textbox', { name: /^Password \*?$|^Password$/ }).fill('a long password');
  await first.page.getByRole('textbox', { name: 'Password again' }).fill('another password');
  await first.page.getByRole('button', { name: 'Become the owner' }).click();
  await first.page.getByText('The two passwords are different.').waitFor();
  await first.page.getByRole('textbox', { name: 'Password again' }).fill('a long password');
  await first.page.getByRole('button', { name: 'Become the owner' }).click();
  await first.page.getByText('This name is taken or reserved.').waitFor();
  const second = await watchedPage(browser, [server.url], { viewport: desktop });
  await becomeOwner(second.page, server);
  await first.page.getByRole('textbox', { name: /^Username/ }).fill('late');
  await first.page.getByRole('button', { name: 'Become the owner' }).click();
  await first.page.getByRole('heading', { level: 1, name: 'This link does not work' }).waitFor();
  await first.context.close();
  await second.context.close();
});
