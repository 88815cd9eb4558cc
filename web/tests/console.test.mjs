// The console as a person uses it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { desktop, launch, phone, settled, watchedPage } from './browser.mjs';
import { openConsole as open, signInByForm, sweepConsole } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin;

before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true' });
  admin = await signIn(server.url);
  await admin('POST', '/api/data/product', { name: 'Guild mug', sku: 'MUG-1', priceCents: 1500, stockQuantity: 3 });
  await admin('POST', '/api/data/discount', { code: 'TEN', type: 'PERCENT', percent: 10 });
  const customer = await admin('POST', '/api/data/customer', { chatId: '42', chatUsername: 'mia', chatDisplayName: 'Mia Larsson' });
  await admin('POST', '/api/data/order', {
    orderNumber: 'A-1', customer: { name: 'Mia Larsson' }, customerId: customer.id,
    items: [{ productId: 'p', name: 'Guild mug', sku: 'MUG-1', quantity: 2, unitPriceCents: 1500 }],
  });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const openConsole = (path, options, user) => open(browser, server.url, path, options, user);

async function newOrder(number, more = {}) {
  return admin('POST', '/api/data/order', {
    orderNumber: number, customer: { name: 'Jonas Okafor' },
    items: [{ productId: 'p', name: 'Poster', sku: 'POSTER', quantity: 1, unitPriceCents: 2700 }], ...more,
  });
}

// The pages that need more than these records are checked in the other files.
const pages = ['/orders', '/orders?view=all', '/orders/new', '/products', '/products/new', '/discounts', '/discounts/new', '/customers',
  '/customers/new', '/payments', '/reports', '/reports?tab=products', '/reports?tab=customers', '/shipments', '/entitlements',
  '/people', '/invitation', '/password-reset#token', '/no-such-page'];

test('every page is accessible on a phone and a desktop, in light and dark colours', async () => {
  const { page, trouble, context } = await openConsole('/', { colorScheme: 'light' });
  assert.deepEqual(await sweepConsole(page, pages, 'console'), {});
  assert.deepEqual(trouble, []);
  await context.close();
});

test('/ leads to the console, which answers with a strict policy and compressed files that are kept for ever', async () => {
  const root = await fetch(`${server.url}/`, { redirect: 'manual', headers: { accept: 'text/html' } });
  assert.equal(root.status, 302);
  assert.equal(root.headers.get('location'), '/console/');
  const page = await fetch(`${server.url}/console/orders/some-id`);
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy');
  assert.doesNotMatch(policy, /unsafe/);
  const html = await page.text();
  const [, nonce] = /style-nonce" content="([^"]+)"/.exec(html);
  assert.ok(policy.includes(`'nonce-${nonce}'`));
  const [script] = /\/console\/assets\/index-[^"]+\.js/.exec(html);
  for (const coding of ['br', 'gzip']) {
    const asset = await fetch(server.url + script, { headers: { 'accept-encoding': coding } });
    assert.equal(asset.headers.get('content-encoding'), coding);
    assert.match(asset.headers.get('cache-control'), /immutable/);
    await asset.arrayBuffer();
  }
  assert.equal((await fetch(`${server.url}/console/assets/nothing.js`)).status, 404);
  assert.match(await (await fetch(`${server.url}/console/licences.txt`)).text(), /react/);
});

/** The bytes that a load of the page transfers until it shows everything. */
async function bytesOf(page, path) {
  const lengths = [];
  page.on('response', (response) => lengths.push(Number(response.headers()['content-length'] ?? 0)));
  await page.goto(`${server.url}/console${path}`);
  await settled(page);
  return lengths.reduce((sum, each) => sum + each, 0);
}

test('the first load stays within 250 KB compressed, with and without a session', async (t) => {
  const visitor = await watchedPage(browser, [server.url], { viewport: desktop });
  const { page, context } = await openConsole('/account');
  await (await context.newCDPSession(page)).send('Network.setCacheDisabled', { cacheDisabled: true });
  const sizes = { 'sign-in': await bytesOf(visitor.page, '/'), orders: await bytesOf(page, '/orders') };
  t.diagnostic(JSON.stringify(sizes));
  for (const [name, bytes] of Object.entries(sizes)) assert.ok(bytes > 50_000 && bytes <= 250_000, `${name}: ${bytes} bytes`);
  await visitor.context.close();
  await context.close();
});

/** In the page: promises what has been loaded when the page shows its first row. */
function noteLoaded() {
  globalThis.loaded = new Promise((resolve) => {
    const look = () => document.querySelector('main .row-link') && resolve(performance.getEntriesByType('resource').map((entry) => entry.name));
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
}

test('the first page needs three files and five reads, of which none waits for another, and reads nothing twice', async () => {
  const { page, context } = await openConsole('/account');
  await (await context.newCDPSession(page)).send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.addInitScript(noteLoaded);
  await page.goto(`${server.url}/console/`);
  const loaded = (await page.evaluate(() => globalThis.loaded)).map((url) => new URL(url)).filter(({ pathname }) => !/^\/media\/|favicon/.test(pathname));
  const files = loaded.filter(({ pathname }) => pathname.startsWith('/console/')).map(({ pathname }) => pathname.replace(/^.*\/(\w+)-.*\./, '$1.'));
  assert.deepEqual(files.sort(), ['index.css', 'index.js', 'start.js']);
  const reads = loaded.filter(({ pathname }) => !pathname.startsWith('/console/')).map(({ pathname }) => pathname);
  assert.deepEqual(reads.sort(), ['/api/admin/branding', '/api/admin/settings', '/api/data/order/open', '/api/data/order/open/summary', '/auth/me']);
  await context.close();
});

test('what the server finds wrong stands beside the field', async () => {
  const { page, context } = await openConsole('/customers/new');
  await page.getByLabel('Chat ID').fill('77');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Sam');
  await page.getByLabel('Chat username').fill('sam');
  await page.getByLabel('Email').fill('not an address');
  await page.getByRole('button', { name: 'Save' }).click();
  const field = page.getByLabel('Email');
  await page.getByText(/must be/).waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await context.close();
});

test('the keyboard opens pages, the palette finds an order', async () => {
  await newOrder('FIND-ME-7');
  const { page, context } = await openConsole('/');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search pages, orders, customers and products').fill('FIND-ME');
  await page.getByText('FIND-ME-7').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Order FIND-ME-7' }).waitFor();
  await context.close();
});

test('j, k and e work in a list, and a dialog gives the focus back', async () => {
  const order = await newOrder('KEYS-1');
  const { page, context } = await openConsole('/orders?search=KEYS-1');
  await page.keyboard.press('j');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'KEYS-1');
  await page.keyboard.press('e');
  await page.getByRole('heading', { level: 1, name: 'Order KEYS-1' }).waitFor();
  await page.waitForURL(new RegExp(order.id));
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await edit.focus();
  await page.keyboard.press('e');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(await edit.evaluate((button) => new Promise((resolve) => setTimeout(() => resolve(document.activeElement === button), 50))));
  await context.close();
});

test('what can be undone offers it, and without a connection nothing can be saved', async () => {
  const customer = await admin('POST', '/api/data/customer', { chatId: '4711', chatUsername: 'undo', chatDisplayName: 'Una Do' });
  const { page, context } = await openConsole(`/customers/${customer.id}`);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Inactive').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  assert.equal((await admin('GET', `/api/data/customer/${customer.id}`)).isActive, true);
  await page.getByLabel('Email').fill('una@example.com');
  await context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await context.close();
});

test('payments, shipments and the audit trail name orders and people instead of their ids', async () => {
  const user = await admin('POST', '/api/data/user', { username: 'namer', displayName: 'Nadia Names' });
  await admin('PUT', `/api/data/user/${user.id}/password`, { password: 'a good password' });
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantAdmin'] });
  const order = await newOrder('NAMED-1');
  await admin('POST', '/api/data/shipment', { orderId: order.id, carrier: 'Post' });
  const named = await openConsole('/audit?subject=order', {}, { username: 'namer', password: 'a good password' });
  await named.page.getByRole('link', { name: 'NAMED-1' }).first().waitFor();
  await named.page.goto(`${server.url}/console/shipments`);
  await named.page.getByRole('link', { name: 'NAMED-1' }).waitFor();
  await named.page.goto(`${server.url}/console/audit?subject=user`);
  await named.page.getByRole('link', { name: 'Nadia Names' }).first().waitFor();
  await named.context.close();
});

test('filters stand in the address bar and survive a reload', async () => {
  await newOrder('TWICE', { status: 'PAID' });
  const { page, context } = await openConsole('/orders?status=PAID&search=TWICE');
  await page.getByText('TWICE', { exact: true }).waitFor();
  await settled(page);
  await page.reload();
  assert.equal(await page.getByLabel('Number or customer').inputValue(), 'TWICE');
  await page.getByLabel('Number or customer').fill('no such order');
  await page.getByText('Nothing matches').waitFor();
  await page.waitForURL(/search=no\+such\+order/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('A-1').waitFor();
  await context.close();
});

test('the console speaks German, too', async () => {
  const { page, context } = await openConsole('/', { locale: 'en-US' });
  await page.evaluate(() => localStorage.setItem('guildhall.language', 'de'));
  await page.goto(`${server.url}/console/orders`);
  await page.getByRole('heading', { level: 1, name: 'Bestellungen' }).waitFor();
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  await context.close();
});

test('an invited person accepts, is signed in, signs in again, and the link is used up', async () => {
  const { link } = await admin('POST', '/api/admin/invitations', { name: 'Ada', keys: ['TenantStaff'] });
  const { page, context } = await watchedPage(browser, [server.url], { viewport: desktop });
  await page.goto(link);
  await page.getByText('Handles orders, products and customers.').waitFor();
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long password');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.waitForSelector('header');
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'This link does not work' }).waitFor();
  await context.close();
  const again = await watchedPage(browser, [server.url], { viewport: desktop });
  await again.page.goto(`${server.url}/console/orders`);
  await signInByForm(again.page, { username: 'ada', password: 'a long password' });
  await again.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await again.context.close();
});

test('a link resets a password', async () => {
  const user = await admin('POST', '/api/data/user', { username: 'forgetful', displayName: 'Bo' });
  const { link } = await admin('POST', `/api/data/user/${user.id}/password-reset`);
  const { page, context } = await watchedPage(browser, [server.url], { viewport: desktop });
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill('a fresh password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your password has been set').waitFor();
  await context.close();
  const { context: signedIn } = await openConsole('/account', {}, { username: 'forgetful', password: 'a fresh password' });
  await signedIn.close();
});

/** The code that an authenticator app shows now (RFC 6238). */
function codeOf(secret) {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', key).update(step).digest();
  return String((hash.readUInt32BE(hash.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('a person changes the password, sets up a second factor, signs in with it and ends another session', async () => {
  const user = await admin('POST', '/api/data/user', { username: 'careful', displayName: 'Cleo Careful' });
  await admin('PUT', `/api/data/user/${user.id}/password`, { password: 'a good password' });
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantStaff'] });
  const { page, context } = await openConsole('/account', { viewport: phone }, { username: 'careful', password: 'a good password' });
  await page.getByText('Cleo Careful').waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill('wrong');
  await page.getByRole('textbox', { name: 'New password' }).fill('another good one');
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await page.locator('.save-bar').getByText('The current password is wrong.').waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill('a good password');
  await change.click();
  await page.getByText('Your password has been changed.').waitFor();  // a new session has replaced the present one
  const begin = page.getByRole('button', { name: 'Set up second factor' });
  await page.getByRole('textbox', { name: 'Your password' }).fill('a good password');  // the one before
  await begin.click();
  await page.locator('.save-bar').getByText('The password is wrong.').waitFor();
  await page.getByRole('textbox', { name: 'Your password' }).fill('another good one');
  await begin.click();
  const secret = await page.locator('code').filter({ hasText: /^[A-Z2-7]{16,}$/ }).textContent();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm code' }).click();
  const recovery = await page.locator('code').filter({ hasText: /^[A-Z0-9]{4}(-[A-Z0-9]{4}){3}$/ }).first().textContent();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('Unused recovery codes: 10.').waitFor();
  const other = await watchedPage(browser, [server.url], { viewport: phone });
  await other.page.goto(`${server.url}/console/orders`);
  await signInByForm(other.page, { username: 'careful', password: 'another good one' });
  await other.page.getByRole('textbox', { name: 'Code' }).fill(recovery);  // the code of the app was used a moment ago
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'End', exact: true }).first().click();  // the newest session
  await page.getByText('Saved', { exact: true }).waitFor();
  await other.page.reload();
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await other.context.close();
  await context.close();
});

test('a change by somebody else appears at once, but never replaces a draft', async () => {
  const { page, context } = await openConsole('/orders');
  await page.getByText('A-1').first().waitFor();
  await newOrder('LIVE-1');
  await page.getByRole('button', { name: 'Show 1 new order' }).click();
  await page.getByText('LIVE-1').waitFor();
  const user = await admin('POST', '/api/data/user', { username: 'edited', displayName: 'Before' });
  await page.goto(`${server.url}/console/people/${user.id}`);
  await page.getByLabel('Email').fill('draft@example.com');
  await admin('PATCH', `/api/data/user/${user.id}`, { displayName: 'After' });
  await page.waitForTimeout(1500);  // Three times as long as the page collects changes before it reads again.
  assert.equal(await page.getByLabel('Email').inputValue(), 'draft@example.com');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'After' }).waitFor();
  await context.close();
});
