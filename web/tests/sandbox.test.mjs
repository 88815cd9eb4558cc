// The whole life of an order in a browser alone: the sandbox plays everybody outside of the server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { desktop, launch, phone, picture, sweep, violations, watchedPage } from './browser.mjs';
import { actAs, addParcel, buy, command, pay } from './chat-page.mjs';
import { openConsole } from './console.mjs';
import { startSandboxedServer } from './sandbox.mjs';
import { pairs, signIn } from './server.mjs';

let server, sandbox, browser, admin, owner, buyer, role, channel;

/** Starts both as `script/server` does: the demo shop, and the sandbox beside it. */
async function start(pair) {
  ({ server, sandbox } = await startSandboxedServer({ variables: { SERVICE_ENV: 'development' }, withDemo: true, pair }));
  admin = await signIn(server.url);
  const { guild } = await sandbox.read('/sandbox/state');
  [owner, buyer] = guild.members;
  role = guild.roles.find(({ name }) => name === 'Lantern Keeper');
  channel = guild.channels.find(({ name }) => name === 'shop');
}

async function stop() {
  await server?.stop();
  await sandbox?.stop();
}

before(async () => {
  browser = await launch();
  await start(pairs[0]);
});

after(async () => {
  await browser?.close();
  await stop();
});

async function openSandbox(path, options = {}) {
  const watched = await watchedPage(browser, [sandbox.url, server.url], { viewport: desktop, ...options });
  await watched.page.goto(`${sandbox.url}/#${path}`);
  await watched.page.waitForSelector('main h1');
  return watched;
}

/** Opens the order in the console, by its link in the list. */
async function openOrder(shop, number) {
  await shop.bringToFront();
  await shop.goto(`${server.url}/console/orders?view=all`);
  await shop.getByRole('link', { name: number }).first().click();
  await shop.getByRole('heading', { level: 1, name: new RegExp(number) }).waitFor();
}

async function wholeLife() {
  const { page: chat, trouble, context } = await openSandbox(`/chat/${channel.id}`);
  const newcomer = 'Wren Ashdown'; // the other members may have bought a membership in the demo shop's past
  const roles = chat.getByRole('list', { name: `Roles of ${newcomer}` });

  const shop = await context.newPage();
  shop.setDefaultTimeout(10_000);
  await shop.goto(`${server.url}/console/`);
  await shop.getByRole('link', { name: /chat/i }).click();
  await shop.waitForURL(`${sandbox.url}/chat/oauth2/authorize?**`);
  assert.deepEqual(await violations(shop), []);
  await picture(shop, 'sandbox-consent');
  await shop.getByRole('button', { name: `Continue as ${owner.displayName}` }).click();
  await shop.waitForURL(`${server.url}/console/**`);
  await shop.getByText('Lantern Guild').first().waitFor();

  await chat.bringToFront();
  await chat.getByRole('button', { name: /^You are / }).click();
  await chat.getByRole('menuitem', { name: 'Add a member' }).click();
  await chat.getByLabel('Name').fill(newcomer);
  await chat.getByRole('button', { name: 'Add the member' }).click();
  await actAs(chat, { displayName: newcomer });
  const membership = await buy(chat, /Keeper membership/, 'Wallet');
  await picture(chat, 'sandbox-bought');
  await pay(chat, membership);
  await roles.getByText(role.name).waitFor();
  await picture(chat, 'sandbox-role');

  const number = await buy(chat, /Brass hand lantern/, 'Card');
  await pay(chat, number);
  await openOrder(shop, number);
  await shop.locator('.status', { hasText: 'Paid' }).first().waitFor();
  const parcel = await addParcel(shop, chat, number);
  for (const step of ['Label created', 'In transit', 'Out for delivery', 'Delivered']) {
    await parcel.getByRole('button', { name: 'Next step' }).click();
    await parcel.locator('.status', { hasText: step }).waitFor();
  }
  await shop.bringToFront();
  await shop.locator('.status', { hasText: 'Delivered' }).first().waitFor();

  await openOrder(shop, membership);
  await shop.getByRole('button', { name: 'Refund' }).click();
  await shop.getByRole('dialog').getByLabel(/^Type/).fill(membership);
  await shop.getByRole('dialog').getByRole('button', { name: /^Refund \$60\.00/ }).click();
  await shop.getByRole('dialog').waitFor({ state: 'detached' });
  await chat.bringToFront();
  await chat.getByRole('link', { name: /^Chat/ }).click();
  await roles.waitFor({ state: 'detached' });
  await chat.getByRole('link', { name: /^Payments/ }).click();
  const payment = chat.getByRole('article', { name: `Payment of order ${membership}` });
  await payment.locator('.status', { hasText: 'Refunded' }).waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
}

test('sign in, buy from the bot, pay, get the role, see the parcel arrive, refund, and the role is gone', wholeLife);

test('an order of the past is refunded at its processor', async () => {
  const { items: [order] } = await admin('GET', '/api/data/order?status=COMPLETE&paymentMethod=APPPAY');
  const { page, trouble, context } = await openSandbox('/payments');
  const shop = await context.newPage();
  shop.setDefaultTimeout(10_000);
  await shop.goto(`${server.url}/auth/chat/start?mode=redirect&tenantId=default&postLoginRedirect=/console/orders/${order.id}`);
  await shop.getByRole('button', { name: `Continue as ${owner.displayName}` }).click();
  await shop.getByRole('button', { name: 'Refund' }).click();
  await shop.getByRole('dialog').getByLabel(/^Type/).fill(order.orderNumber);
  await shop.getByRole('dialog').getByRole('button', { name: /^Refund \$[\d,.]+/ }).click();
  await shop.locator('.status', { hasText: 'Refunded' }).first().waitFor();
  await page.getByRole('article', { name: `Payment of order ${order.orderNumber}` }).locator('.status', { hasText: 'Refunded' }).waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a late, a partial and an excessive payment reach the shop, which flags them', async () => {
  const { page, trouble, context } = await openSandbox(`/chat/${channel.id}`);
  await actAs(page, buyer);
  const attention = { 'Pay late': 'LATE', 'Pay part': 'UNDERPAID', Overpay: 'OVERPAID' };
  for (const [action, flag] of Object.entries(attention)) {
    await page.goto(`${sandbox.url}/#/chat/${channel.id}`);
    const number = await buy(page, /Beeswax candles/, 'Bitcoin');
    await page.getByRole('link', { name: /^Payments/ }).click();
    const payment = page.getByRole('article', { name: `Payment of order ${number}` });
    await payment.getByRole('button', { name: action }).click();
    if (action !== 'Pay late') await page.getByRole('dialog').getByRole('button', { name: /^Pay \S*\d/ }).click();
    if (action === 'Pay part') await payment.getByRole('button', { name: 'Let it expire' }).click();
    const { items: [order] } = await admin('GET', `/api/data/order?search=${number}`);
    for (let tries = 0; ; ++tries) {
      const { items } = await admin('GET', '/api/admin/payments?attention=true');
      if (items.some((item) => item.orderId === order.id && item.attention === flag)) break;
      assert.ok(tries < 150, `${action} is not flagged`);
      await page.waitForTimeout(200);
    }
  }
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the subscription of a new shop is renewed, unpaid and cancelled', async () => {
  const { session } = await admin('GET', '/auth/me');
  await admin('POST', '/api/data/tenant', { tenantId: 'harbour', name: 'Harbour Guild', ownerUserId: session.user.userId });
  const { page, trouble, context } = await openSandbox('/billing');
  const subscription = page.getByRole('article', { name: 'Subscription of harbour' });
  for (const [action, status] of [['Fail the payment', 'Past due'], ['Renew', 'Active'], ['Cancel', 'Canceled']]) {
    await subscription.getByRole('button', { name: action }).click();
    await subscription.locator('.status', { hasText: status }).waitFor();
  }
  const { items } = await sandbox.read('/sandbox/calls?after=0');
  const events = items.filter(({ party, direction }) => party === 'billing' && direction === 'out');
  assert.deepEqual(events.map(({ status }) => status), [200, 200, 200, 200, 200]);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('calls can be read, sent again, twice and later, and out of order', async () => {
  const { page, trouble, context } = await openSandbox(`/chat/${channel.id}`);
  await actAs(page, buyer);
  await pay(page, await buy(page, /Beeswax candles/, 'Bitcoin'));
  await page.getByRole('link', { name: /^Calls/ }).click();
  await page.getByRole('textbox', { name: 'Direction' }).click();
  await page.getByRole('option', { name: 'To the server' }).click();
  const rows = page.locator('.call-row');
  const webhook = rows.filter({ hasText: '/api/payments/crypto-gateway/webhook' });
  const before = await webhook.count();
  await webhook.first().click();
  const detail = page.getByRole('region', { name: 'Selected call' });
  await detail.getByText('Signature valid').waitFor();
  await detail.getByText('InvoiceSettled').first().waitFor();
  await detail.getByRole('button', { name: 'Send again' }).click();
  await webhook.nth(before).waitFor();
  await detail.getByRole('button', { name: 'Send twice' }).click();
  await webhook.nth(before + 2).waitFor();
  await detail.getByRole('button', { name: 'Send later' }).click();
  await page.getByLabel('Seconds from now').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Send later' }).click();
  await webhook.nth(before + 3).waitFor();

  await page.getByRole('button', { name: 'Webhooks: at once' }).click();
  await page.getByRole('radio', { name: 'Out of order' }).check();
  await page.getByRole('button', { name: 'Use for all webhooks' }).click();
  await page.getByRole('button', { name: 'Webhooks: out of order' }).waitFor();
  await page.getByRole('button', { name: 'Webhooks: out of order' }).click();
  await page.getByRole('radio', { name: 'As things happen' }).check();
  await page.getByRole('button', { name: 'Use for all webhooks' }).click();
  await page.getByRole('button', { name: 'Webhooks: at once' }).waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a fault of a party ends by itself after its calls', async () => {
  const { page, trouble, context } = await openSandbox('/faults');
  await page.getByRole('textbox', { name: 'Party' }).click();
  await page.getByRole('option', { name: (await sandbox.read('/sandbox/state')).parties.find(({ name }) => name === 'wallet').title }).click();
  await page.getByLabel('For', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Start the fault' }).click();
  await page.locator('.status', { hasText: 'Respond with 500' }).waitFor();
  assert.equal((await fetch(`${sandbox.url}/wallet/v2/checkout/orders/none`)).status, 500);
  await page.locator('.status', { hasText: 'Respond with 500' }).waitFor({ state: 'detached' });
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the page works on a phone: members, channels, a new member, direct messages', async () => {
  const { page, trouble, context } = await openSandbox(`/chat/${channel.id}`, { viewport: phone });
  await page.getByRole('button', { name: 'Channels' }).click();
  await page.getByRole('button', { name: /^You are / }).click();
  await page.getByRole('menuitem', { name: 'Add a member' }).click();
  await page.getByLabel('Name').fill('Juniper Quill');
  await page.getByRole('button', { name: 'Add the member' }).click();
  await page.getByRole('button', { name: /^You are / }).click();
  await page.getByRole('menuitem', { name: 'Juniper Quill' }).click();
  await page.getByRole('menu').waitFor({ state: 'hidden' }); // it would take the key
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByText('as Juniper Quill').waitFor();
  assert.match(await (await command(page, 'register')).textContent(), /You are registered/);
  await page.getByRole('button', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Juniper Quill (you)' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Channels' }).click();
  await page.getByRole('link', { name: 'Guildhall' }).click();
  assert.match(await (await command(page, 'orders')).textContent(), /You have not ordered anything yet/);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the mails of the server are read in the sandbox', async () => {
  const { page, trouble, context } = await openSandbox('/mails');
  await admin('POST', '/api/data/order', { orderNumber: 'MAIL-1', customer: { name: 'Grace', email: 'grace@example.com' }, items: [{ productId: 'p', name: 'Räucher-Set', sku: 'R', quantity: 1, unitPriceCents: 2490, currency: 'EUR' }], currency: 'EUR' });
  await page.getByRole('link', { name: 'Your order MAIL-1' }).click();
  const text = page.getByRole('article', { name: 'Text of the mail' });
  await text.getByText('Total: €24.90').waitFor();
  await page.getByText('grace@example.com').waitFor();
  const [invoice] = await Promise.all([context.waitForEvent('page'), text.getByRole('link', { name: /\/orders\/invoice\// }).first().click()]);
  await invoice.getByRole('heading', { name: 'Invoice MAIL-1' }).waitFor();
  await invoice.close();
  const [html] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'As the buyer sees it' }).click()]);
  await html.getByRole('link', { name: 'Pay' }).waitFor();
  await html.close();
  const console = await openConsole(browser, server.url, '/orders?view=all');
  await console.page.getByRole('link', { name: 'MAIL-1' }).first().click();
  await console.page.getByRole('button', { name: 'Send invoice link' }).click();
  const dialog = console.page.getByRole('dialog', { name: 'Send invoice link' });
  await dialog.getByRole('button', { name: 'Copy link' }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Direct message' }).isDisabled(), true, 'Grace has no chat account');
  assert.deepEqual(await violations(console.page), []);
  await picture(console.page, 'send-invoice-link');
  await dialog.getByRole('button', { name: 'E-mail' }).click();
  await console.page.getByText('Grace gets the link by e-mail.').waitFor();
  await console.context.close();
  await page.bringToFront();
  await page.getByRole('link', { name: 'All mails' }).click();
  await page.getByRole('link', { name: 'Invoice for your order MAIL-1' }).waitFor();
  const { mails } = await sandbox.read('/sandbox/state');
  const mail = mails.find(({ subject }) => subject === 'Your order MAIL-1');
  assert.deepEqual(mail.to, ['grace@example.com']);
  assert.match((await sandbox.read(`/sandbox/mails/${mail.id}`)).text, /Räucher-Set/);
  assert.deepEqual(trouble, []);
  await context.close();
});

const pages = ['/chat', '/payments', '/parcels', '/mails', '/billing', '/calls', '/calls/1', '/faults'];

test('every page of the sandbox is accessible on a phone and a desktop, in light and dark colours', async () => {
  const { page, trouble, context } = await openSandbox('/payments', { colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate((id) => localStorage.setItem('guildhall.sandbox.member', JSON.stringify(id)), buyer.id);
  await page.reload();
  const found = await sweep(page, pages, { name: 'sandbox', open: (path) => page.goto(`${sandbox.url}/#${path}`) });
  assert.deepEqual(found, {});
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the page answers with a strict policy, and other sites cannot control the sandbox', async () => {
  const page = await fetch(sandbox.url);
  const policy = page.headers.get('content-security-policy');
  assert.doesNotMatch(policy, /unsafe/);
  assert.match(policy, new RegExp(`img-src 'self' data: ${server.url};`));
  assert.equal((await fetch(`${sandbox.url}/licences.txt`)).status, 200);
  const foreign = await fetch(`${sandbox.url}/sandbox/delivery`, { method: 'PUT', headers: { origin: 'https://example.com', 'content-type': 'application/json' }, body: '{}' });
  assert.equal(foreign.status, 403);
});

describe(`with ${pairs[1]}`, { skip: pairs.length < 2 }, () => {
  before(async () => {
    await stop();
    await start(pairs[1]);
  });
  test('an order has the same life', wholeLife);
});
