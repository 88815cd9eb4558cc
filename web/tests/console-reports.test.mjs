// Reports, files and printed pages of the demo shop, and the home page of a shop with little data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, picture, settled } from './browser.mjs';
import { openConsole as open, sweepConsole } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin;
before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true' }, { withDemo: true });
  admin = await signIn(server.url);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const timezoneId = 'Europe/Berlin';
const openConsole = (path, options = {}, user) => open(browser, server.url, path, { timezoneId, ...options }, user);
const dollars = (cents) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const report = (name, query) => admin('GET', `/api/admin/reports/${name}?${new URLSearchParams({ currency: 'USD', timeZone: timezoneId, ...query })}`);
const shifted = (day, days) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: timezoneId }).format();

async function downloaded(page) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  return readFileSync(await (await download).path(), 'utf8').replace('\uFEFF', '').trim().split('\r\n').map((line) => line.split(','));
}

const pages = ['/reports', '/reports?tab=discounts', '/reports?tab=payment-methods&period=quarter', '/reports?tab=tax&period=year', '/reports?tab=stock', '/orders/print', '/orders/print?kind=pick'];

test('reports and printed pages are accessible on a phone and a desktop, in light and dark colours', async () => {
  const { page, trouble, context } = await openConsole('/', { colorScheme: 'light' });
  assert.deepEqual(await sweepConsole(page, pages, 'reports'), {});
  assert.deepEqual(trouble, []);
  await context.close();
});

test('discounts, payment methods, tax and stock have reports of their own', async () => {
  const { page, trouble, context } = await openConsole('/reports');
  const period = { from: shifted(today(), -29), to: today() };
  const table = (name) => page.getByRole('table', { name });
  await page.getByRole('tab', { name: 'Discounts' }).click();
  const { items: [discount] } = await report('discounts', period);
  await table('Discounts').getByRole('row', { name: new RegExp(`^${discount.code} ${discount.orders} `) }).getByText(dollars(discount.discountCents), { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Payment methods' }).click();
  const { items: methods } = await report('payment-methods', period);
  await table('Payment methods').getByText(dollars(methods[0].netCents), { exact: true }).first().waitFor();
  assert.equal(await table('Payment methods').getByText(methods[0].provider, { exact: true }).count(), 0, 'words instead of keys');
  await page.getByRole('tab', { name: 'Tax' }).click();
  const { totals } = await report('tax', { ...period, interval: 'day' });
  await table('Tax').getByRole('row', { name: /^Total/ }).getByText(dollars(totals.taxCents), { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Stock' }).click();
  await table('Stock').getByRole('row', { name: /Wool beanie .*Out of stock/ }).waitFor();
  await page.getByRole('textbox', { name: 'Low stock from (units)' }).fill('3');
  await table('Stock').getByText('Night watch hoodie').waitFor({ state: 'detached' });
  await table('Stock').getByRole('link', { name: 'Keeper pin' }).click();
  await page.getByRole('heading', { level: 1, name: 'Keeper pin' }).waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a period is chosen with one click and compared with the one before', async () => {
  const { page, trouble, context } = await openConsole('/reports');
  const figure = (name) => page.locator('.mantine-Paper-root', { has: page.getByText(name, { exact: true }) }).filter({ hasText: 'Previously' }).first();
  const shows = async (present, previous) => {
    await figure('Net').getByText(dollars((await report('sales', { ...present, interval: 'day' })).totals.netCents).replace('-', '\u2212'), { exact: true }).waitFor();
    await figure('Net').getByText(`Previously ${dollars((await report('sales', { ...previous, interval: 'day' })).totals.netCents).replace('-', '\u2212')}`).waitFor();
  };
  const day = today();
  await shows({ from: shifted(day, -29), to: day }, { from: shifted(day, -59), to: shifted(day, -30) });
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.waitForURL(/period=7days/);
  await shows({ from: shifted(day, -6), to: day }, { from: shifted(day, -13), to: shifted(day, -7) });
  await page.getByRole('button', { name: 'Today' }).click();
  await shows({ from: day, to: day }, { from: shifted(day, -1), to: shifted(day, -1) });
  await page.getByRole('button', { name: 'This month' }).click();
  const before = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, 0));  // the last day of the month before
  const month = before.toISOString().slice(0, 8);
  await shows({ from: `${day.slice(0, 8)}01`, to: day }, { from: `${month}01`, to: `${month}${String(Math.min(before.getUTCDate(), Number(day.slice(8)))).padStart(2, '0')}` });
  await page.getByRole('button', { name: 'This month', pressed: true }).waitFor();
  await page.getByLabel('From').fill(shifted(day, -9));
  await page.waitForURL(/from=/);
  await shows({ from: shifted(day, -9), to: day }, { from: shifted(day, -19), to: shifted(day, -10) });
  await page.locator('label', { hasText: 'Compare with the previous period' }).click();
  await page.getByText(/^Previously/).first().waitFor({ state: 'detached' });
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the file of a report has the days and amounts that the page shows; programs get minor units as before', async () => {
  const { page, context } = await openConsole('/reports?compare=off');
  const period = { from: shifted(today(), -29), to: today(), interval: 'day' };
  const { items } = await report('sales', period);
  const rows = await downloaded(page);
  assert.deepEqual(rows[0], ['Day', 'Orders', 'Discount (USD)', 'Tax (USD)', 'Sales (USD)', 'Refunds (USD)', 'Net (USD)']);
  assert.deepEqual(rows.slice(1), items.map((row) => [row.start, String(row.orders), ...[row.discountCents, row.taxCents, row.totalCents, row.refundCents, row.netCents].map((cents) => (cents / 100).toFixed(2))]));
  const { value, name } = (await context.cookies())[0];
  const machine = await fetch(`${server.url}/api/admin/reports/sales?format=csv&currency=USD`, { headers: { cookie: `${name}=${value}` } });
  assert.match((await machine.text()).split('\r\n')[0], /^start,orders,units,grossCents,/);
  await context.close();
});

test('the file of orders has two decimals, times on the clock of the shop, addresses and states in words', async (t) => {
  t.after(() => admin('PUT', '/api/admin/settings', { timeZone: null }));
  await admin('PUT', '/api/admin/settings', { timeZone: 'Pacific/Kiritimati' });
  const address = { name: 'Aiko Tanaka', line1: '1 Mill Lane', city: 'Ely', postalCode: 'CB7', country: 'GB' };
  const order = (orderNumber, currency, cents, shippingAddress) => admin('POST', '/api/data/order', { orderNumber, currency, status: 'PAID', shippingAddress, customer: { name: 'Aiko' }, items: [{ productId: 'p', name: 'Mug', sku: 'M', quantity: 1, unitPriceCents: cents }] });
  const { createdAt } = await order('FILE-1', 'EUR', 2490, address);
  await order('FILE-2', 'JPY', 2490, { text: 'Berth 4' });
  const { page, context } = await openConsole('/orders?view=all&search=FILE-');
  const [head, ...rows] = await downloaded(page);
  const cell = (number, title) => rows.find((row) => row[0] === number)[head.indexOf(title)];
  assert.equal(cell('FILE-1', 'Status'), 'Paid');
  assert.equal(cell('FILE-1', 'Parcel'), 'Not shipped');
  assert.equal(cell('FILE-1', 'Total'), '24.90');
  assert.equal(cell('FILE-2', 'Total'), '2490');
  assert.equal(cell('FILE-1', 'Created (Pacific/Kiritimati)'), new Date(Date.parse(createdAt) + 14 * 3_600_000).toISOString().slice(0, 16).replace('T', ' '));
  assert.deepEqual(['Recipient', 'Street and house number', 'Postal code', 'City', 'Country'].map((title) => cell('FILE-1', title)), ['Aiko Tanaka', '1 Mill Lane', 'CB7', 'Ely', 'GB']);
  assert.equal(cell('FILE-2', 'Street and house number'), 'Berth 4');
  await context.close();
});

/** The number of pages of the printed page. */
const printedPages = async (page, format) => (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;

test('packing slips fit a page each, on A4 and on Letter, without the menu and without prices', async () => {
  const { items: products } = await admin('GET', '/api/data/product?limit=50');
  const product = (name) => products.find((each) => each.name === name);
  const order = (orderNumber, ...items) => admin('POST', '/api/data/order', {
    orderNumber, status: 'PAID', customer: { name: 'Aiko Tanaka' }, shippingAddress: { line1: `${orderNumber} Mill Lane`, city: 'Ely', country: 'GB' },
    items: items.map(([name, quantity]) => ({ productId: product(name).id, quantity })),
  });
  const first = await order('PACK-1', ['Lamplighter mug', 2], ['Keeper membership', 1]);
  const second = await order('PACK-2', ['Lamplighter mug', 1], ['Sticker sheet', 3]);
  const { page, trouble, context } = await openConsole('/orders', { colorScheme: 'dark' });
  for (const order of [first, second]) await page.getByRole('checkbox', { name: `Select ${order.orderNumber}` }).check();
  await page.getByRole('region', { name: 'Selected orders' }).getByRole('link', { name: 'Print' }).click();
  const slip = page.getByRole('region', { name: `Packing slip of order ${first.orderNumber}` });
  for (const text of ['Aiko Tanaka', 'PACK-1 Mill Lane', 'United Kingdom', 'Lamplighter mug']) await slip.getByText(text).waitFor();
  assert.doesNotMatch(await slip.textContent(), /\$|Keeper membership/, 'neither prices nor digital items');
  for (const format of ['A4', 'Letter']) assert.equal(await printedPages(page, format), 2, format);
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['header.mantine-AppShell-header', 'nav', 'main button']) assert.equal(await page.locator(`${hidden}:visible`).count(), 0, hidden);
  await picture(page, 'print-slips');
  await page.emulateMedia({ media: 'screen' });
  await page.locator('label', { hasText: 'Pick list' }).click();
  const list = page.getByRole('region', { name: 'Pick list' });
  await list.getByRole('row', { name: '3 Lamplighter mug MUG-1 PACK-1: 2, PACK-2: 1' }).waitFor();
  for (const format of ['A4', 'Letter']) assert.equal(await printedPages(page, format), 1, format);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a row of payments opens its order', async () => {
  const payment = (await admin('GET', '/api/admin/payments?status=PAID')).items.find((each) => !each.attention);
  const { orderNumber } = await admin('GET', `/api/data/order/${payment.orderId}`);
  const { page, context } = await openConsole(`/payments?search=${payment.providerPaymentId}`);
  const row = page.getByRole('row', { name: new RegExp(payment.providerPaymentId) });
  await row.getByRole('link', { name: orderNumber }).waitFor();
  await row.getByText('Paid').click();
  await page.getByRole('heading', { level: 1, name: `Order ${orderNumber}` }).waitFor();
  await context.close();
});

test('the rest of an overpayment goes back with one click', async () => {
  const { items } = await admin('GET', '/api/admin/payments?attention=true');
  const payment = items.find((each) => each.attention === 'OVERPAID');
  const rest = `$${((payment.amountCents - payment.expectedCents) / 100).toFixed(2)}`;
  const { page, trouble, context } = await openConsole('/payments?attention=true');
  await picture(page, 'overpaid');
  const flagged = page.getByRole('listitem').filter({ hasText: payment.providerPaymentId });
  await flagged.getByRole('button', { name: `Refund ${rest}` }).click();
  await flagged.waitFor({ state: 'detached' });
  const order = await admin('GET', `/api/data/order/${payment.orderId}`);
  assert.notEqual(order.status, 'REFUNDED');
  const refunds = await admin('GET', `/api/data/order/${payment.orderId}/refunds`);
  assert.deepEqual(refunds.items.map((refund) => refund.amountCents), [payment.amountCents - payment.expectedCents]);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the note for the administrators of the fund stands on all of its pages', async () => {
  await admin('PUT', '/api/admin/community-fund/config', { disclaimerText: 'Gifts are not\ntax-deductible.' });
  const { page, context } = await openConsole('/fund');
  for (const tab of ['Ledger', 'Public page', 'Settings']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('alert').getByText('Gifts are not tax-deductible.').waitFor();
  }
  await picture(page, 'fund-note');
  await context.close();
});

test('an operator makes a backup with one click and sees its result', async () => {
  const { page, trouble, context } = await openConsole('/platform?tab=health');
  await page.getByText('No backups yet').waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByRole('status').getByText('Backup created').waitFor({ timeout: 60_000 });
  await page.getByRole('table', { name: 'Backups' }).getByText('Verified').waitFor();
  await picture(page, 'backups', { fullPage: true });
  assert.deepEqual(trouble, []);
  await context.close();
});

test('an owner invites a manager, who uses the administration but changes no administrator', async () => {
  const owner = await admin('POST', '/api/data/user', { username: 'owner', displayName: 'Olga Owner' });
  await admin('PUT', `/api/data/user/${owner.id}/password`, { password: 'a good password' });
  await admin('PUT', `/api/admin/grants/${owner.id}`, { keys: ['TenantAdmin'] });
  const { page, context } = await openConsole('/people', {}, { username: 'owner', password: 'a good password' });
  await page.getByRole('button', { name: 'Invite person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Manager' }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = await page.getByRole('dialog').getByText(/\/console\/invitation#/).textContent();
  await context.close();
  const invited = await fetch(`${server.url}/auth/invitations/${link.split('#')[1]}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ username: 'manager', password: 'a good password' }) });
  assert.equal(invited.status, 200, await invited.text());
  const manager = await openConsole('/reports', {}, { username: 'manager', password: 'a good password' });
  await manager.page.getByRole('table', { name: 'Sales' }).waitFor();
  const refused = await manager.page.evaluate((id) => fetch(`/api/admin/grants/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"keys":[]}' }).then((reply) => reply.status), owner.id);
  assert.equal(refused, 403);
  await manager.context.close();
});

test('the home page of a shop with one order has an axis of whole amounts, and does not say that there are no orders', async (t) => {
  const small = await startServer({ RATE_LIMIT_DISABLED: 'true' });
  t.after(() => small.stop());
  const owner = await signIn(small.url);
  const first = await open(browser, small.url, '/');
  await first.page.getByText('No orders yet').waitFor();
  await first.context.close();
  await owner('POST', '/api/data/order', { orderNumber: 'ONE', status: 'COMPLETE', customer: { name: 'Mia' }, items: [{ productId: 'p', name: 'Sticker', sku: 'S', quantity: 1, unitPriceCents: 250 }] });
  const { page, trouble, context } = await open(browser, small.url, '/?days=7');
  await page.getByText('No open orders').waitFor();
  assert.equal(await page.getByText('No orders yet').count(), 0);
  await page.locator('.recharts-yAxis text').first().waitFor();
  assert.deepEqual((await page.locator('.recharts-yAxis .recharts-cartesian-axis-tick').allTextContents()), ['$0', '$1', '$2', '$3']);
  const dashed = page.locator('.recharts-line-curve[stroke-dasharray="4 4"]');
  await dashed.waitFor();
  assert.equal(await dashed.count(), 1, 'only the way to today');
  await settled(page);
  await picture(page, 'home-one-order');
  await page.getByRole('link', { name: 'Show all orders' }).click();
  await page.getByRole('link', { name: 'ONE', exact: true }).waitFor();
  await page.goto(`${small.url}/console/orders`);
  await page.getByText('No open orders').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});
