// The console as a person uses it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, phone, settled, violationsInBothSchemes, watchedPage } from './browser.mjs';
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

async function openConsole(path = '/', options = {}, user = { username: 'admin', password: 'correct horse' }) {
  const watched = await watchedPage(browser, [server.url], { viewport: desktop, ...options });
  const { page } = watched;
  await page.goto(`${server.url}/console${path}`);
  await page.getByLabel('Username').fill(user.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForSelector('header');
  watched.trouble.length = 0;  // the browser itself reports the 401 before the sign-in
  return watched;
}

async function newOrder(number, more = {}) {
  return admin('POST', '/api/data/order', {
    orderNumber: number, customer: { name: 'Jonas Okafor' },
    items: [{ productId: 'p', name: 'Poster', sku: 'POSTER', quantity: 1, unitPriceCents: 2700 }], ...more,
  });
}

const pages = ['/', '/orders', '/orders?view=all', '/orders/new', '/products', '/products/new', '/discounts', '/discounts/new', '/customers',
  '/customers/new', '/payments', '/payment-methods', '/fund', '/fund?tab=settings', '/reports', '/reports?tab=products', '/reports?tab=customers', '/shipments', '/entitlements', '/webhooks', '/outbox',
  '/people', '/chat', '/audit', '/settings', '/account', '/invitation', '/password-reset#token', '/no-such-page'];

for (const [size, viewport] of [['phone', phone], ['desktop', desktop]]) {
  test(`every page is accessible on a ${size} in light and dark colours`, async () => {
    const { page, trouble, context } = await openConsole('/', { viewport, colorScheme: 'light', reducedMotion: 'reduce' });
    const found = {};
    for (const path of pages) {
      await page.goto(`${server.url}/console${path}`);
      await page.waitForSelector('h1, h2');
      await settled(page);
      const here = await violationsInBothSchemes(page, `console${path.replace(/[^a-z]/g, '-')}-${size}`);
      if (here.length > 0) found[path] = here;
    }
    assert.deepEqual(found, {});
    assert.deepEqual(trouble, []);
    await context.close();
  });
}

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
  const [script] = /\/console\/assets\/[^"]+\.js/.exec(html);
  for (const coding of ['br', 'gzip']) {
    const asset = await fetch(server.url + script, { headers: { 'accept-encoding': coding } });
    assert.equal(asset.headers.get('content-encoding'), coding);
    assert.match(asset.headers.get('cache-control'), /immutable/);
    await asset.arrayBuffer();
  }
  assert.equal((await fetch(`${server.url}/console/assets/nothing.js`)).status, 404);
  assert.match(await (await fetch(`${server.url}/console/licences.txt`)).text(), /react/);
});

test('the first load stays within 250 KB compressed', async () => {
  const { page, context } = await watchedPage(browser, [server.url], { viewport: desktop });
  let bytes = 0;
  page.on('response', async (response) => { bytes += Number(response.headers()['content-length'] ?? 0); });
  await page.goto(`${server.url}/console/`);
  await page.getByLabel('Username').waitFor();
  await settled(page);
  assert.ok(bytes > 50_000 && bytes <= 250_000, `${bytes} bytes`);
  await context.close();
});

test('an order is placed, paid, shipped and refunded, and every step is in its history', async () => {
  const { page, trouble, context } = await openConsole('/orders/new');
  await page.getByLabel("Customer's name").fill('Aiko Tanaka');
  await page.getByRole('textbox', { name: 'Product' }).click();
  await page.getByRole('option', { name: /Guild mug/ }).click();
  await page.getByRole('button', { name: /Place order of \$15\.00/ }).click();
  for (const step of ['Mark as paid', 'Start preparing', 'Mark as shipped']) {
    await page.getByRole('button', { name: step }).click();
    await page.getByRole('dialog').getByRole('button', { name: step }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const number = (await page.getByRole('heading', { level: 1 }).textContent()).replace('Order ', '');
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Type .* to go on/).fill(number);
  await dialog.getByRole('button', { name: 'Refund 15.00 USD' }).click();
  await page.getByText('Refunded').first().waitFor();
  const page1 = await admin('GET', '/api/data/order?limit=1');
  assert.equal(page1.items[0].status, 'REFUNDED');
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a refund that is clicked twice is paid once', async () => {
  const order = await newOrder('TWICE', { status: 'PAID' });
  const { page, context } = await openConsole(`/orders/${order.id}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Amount in USD/).fill('10.00');
  await dialog.getByLabel(/Type .* to go on/).fill('TWICE');
  await dialog.getByRole('button', { name: 'Refund 10.00 USD' }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  const refunds = await admin('GET', `/api/data/order/${order.id}/refunds`);
  assert.deepEqual(refunds.items.map((refund) => refund.amountCents), [1000]);
  await context.close();
});

test('two people who edit one product see both versions and choose', async () => {
  const product = await admin('POST', '/api/data/product', { name: 'Banner', sku: 'BANNER', priceCents: 3000 });
  const { page, context } = await openConsole(`/products/${product.id}`);
  await page.getByLabel('Name').fill('Banner of mine');
  await admin('PATCH', `/api/data/product/${product.id}`, { name: 'Banner of theirs', description: 'Red' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Banner of theirs').waitFor();
  await dialog.locator('label', { hasText: 'Take theirs' }).first().click();
  await dialog.getByRole('button', { name: 'Save my choice' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await admin('GET', `/api/data/product/${product.id}`)).name, 'Banner of theirs');
  await context.close();
});

test('what the server finds wrong stands beside the field', async () => {
  const { page, context } = await openConsole('/customers/new');
  await page.getByLabel('Chat id').fill('77');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Sam');
  await page.getByLabel('Chat username').fill('sam');
  await page.getByLabel('E-mail').fill('not an address');
  await page.getByRole('button', { name: 'Save' }).click();
  const field = page.getByLabel('E-mail');
  await page.getByText(/must be/).waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await context.close();
});

test('a session that ends in mid-edit asks to sign in again and keeps the draft', async () => {
  const { page, context } = await openConsole('/products/new');
  await page.getByLabel('Name').fill('A draft worth keeping');
  await page.getByLabel('SKU').fill('DRAFT-1');
  await page.getByRole('textbox', { name: 'Price' }).fill('12.50');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill('admin');
  await dialog.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Name').inputValue(), 'A draft worth keeping');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'A draft worth keeping' }).waitFor();
  await context.close();
});

test('staff cannot use what needs an administrator, and is told why', async () => {
  const user = await admin('POST', '/api/data/user', { username: 'staff', displayName: 'Staff' });
  await admin('PUT', `/api/data/user/${user.id}/password`, { password: 'staff password' });
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantStaff'] });
  const order = await newOrder('STAFF', { status: 'PAID' });
  const { page, context } = await openConsole(`/orders/${order.id}`, {}, { username: 'staff', password: 'staff password' });
  const refund = page.getByRole('button', { name: 'Refund' });
  assert.equal(await refund.getAttribute('aria-disabled'), 'true');
  await refund.hover();
  await page.getByText('You do not have the right to do this.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Payments' }).getAttribute('data-disabled'), 'true');
  await context.close();
});

test('the keyboard opens pages, the palette finds an order', async () => {
  await newOrder('FIND-ME-7');
  const { page, context } = await openConsole('/');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search pages and orders').fill('FIND-ME');
  await page.getByText('FIND-ME-7').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Order FIND-ME-7' }).waitFor();
  await context.close();
});

test('filters stand in the address bar and survive a reload', async () => {
  const { page, context } = await openConsole('/orders?status=PAID&search=TWICE');
  await settled(page);
  await page.reload();
  assert.equal(await page.getByLabel('Number or customer').inputValue(), 'TWICE');
  await page.getByLabel('Number or customer').fill('no such order');
  await page.getByText('Nothing matches').waitFor();
  assert.match(page.url(), /search=no\+such\+order/);
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
  await page.getByText('Works with orders, products and customers.').waitFor();
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long password');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.waitForSelector('header');
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'This link cannot be used' }).waitFor();
  await context.close();
  const again = await openConsole('/orders', {}, { username: 'ada', password: 'a long password' });
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
  await page.getByText('Your password is set').waitFor();
  await context.close();
  const { context: signedIn } = await openConsole('/account', {}, { username: 'forgetful', password: 'a fresh password' });
  await signedIn.close();
});

test('a change by somebody else appears at once, but never replaces a draft', async () => {
  const { page, context } = await openConsole('/orders');
  await page.getByText('A-1').first().waitFor();
  await newOrder('LIVE-1');
  await page.getByText('LIVE-1').waitFor({ timeout: 5000 });
  const user = await admin('POST', '/api/data/user', { username: 'edited', displayName: 'Before' });
  await page.goto(`${server.url}/console/people/${user.id}`);
  await page.getByLabel('E-mail').fill('draft@example.com');
  await admin('PATCH', `/api/data/user/${user.id}`, { displayName: 'After' });
  await page.waitForTimeout(1500);  // Three times as long as the page collects changes before it reads again.
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'draft@example.com');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'After' }).waitFor();
  await context.close();
});
