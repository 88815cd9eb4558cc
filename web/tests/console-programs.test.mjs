// What the console has for programs that use the API: metadata of records, and the web pages that may use tokens.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, picture } from './browser.mjs';
import { openConsole as open, sweepConsole } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin, pages;

before(async () => {
  server = await startServer({});
  admin = await signIn(server.url);
  const metadata = { erpId: '4711', warehouse: 'North, shelf 12' };
  const plan = await admin('POST', '/api/data/product', { name: 'Patron', sku: 'PATRON', priceCents: 500, isDigital: true, membership: { periodMonths: 1 }, metadata });
  const customer = await admin('POST', '/api/data/customer', { chatId: '42', chatUsername: 'mia', chatDisplayName: 'Mia Larsson', metadata });
  const discount = await admin('POST', '/api/data/discount', { code: 'SPRING', type: 'PERCENT', percent: 10, metadata });
  const order = await admin('POST', '/api/data/order', { orderNumber: 'P-1', status: 'PAID', customer: { name: 'Mia', chatId: '42' }, customerId: customer.id, items: [{ productId: plan.id, quantity: 1 }], metadata });
  const [membership] = (await admin('GET', '/api/admin/memberships')).items;
  await admin('PATCH', `/api/admin/memberships/${membership.id}`, { metadata });
  pages = { product: `/products/${plan.id}`, customer: `/customers/${customer.id}`, discount: `/discounts/${discount.id}`, order: `/orders/${order.id}`, membership: `/memberships/${membership.id}` };
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const openConsole = (path, options) => open(browser, server.url, path, options);

test('records show the data of other programs, accessibly on a phone and a desktop', async () => {
  const { page, context } = await openConsole('/', { colorScheme: 'light' });
  for (const [kind, path] of Object.entries(pages)) {
    await page.goto(`${server.url}/console${path}`);
    const section = page.locator('[data-metadata]');
    await section.getByText('North, shelf 12').waitFor();
    await section.scrollIntoViewIfNeeded();
    await picture(page, `metadata-${kind}`);
  }
  assert.deepEqual(await sweepConsole(page, [...Object.values(pages), '/tokens'], 'programs'), {});
  await context.close();
});

test('a field is added, changed, removed and brought back', async () => {
  const { page, context } = await openConsole(pages.order);
  const section = page.locator('[data-metadata]');
  await section.getByRole('button', { name: 'Add a field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the field').fill('erpId');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('There is a field with this name already.').waitFor();
  await dialog.getByLabel('Name of the field').fill('invoice');
  await dialog.getByLabel('Value').fill('R-2026-17');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await section.getByText('R-2026-17').waitFor();

  await section.getByRole('button', { name: 'Change the field invoice' }).click();
  await page.getByRole('dialog').getByLabel('Value').fill('R-2026-18');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await section.getByText('R-2026-18').waitFor();

  await section.getByRole('button', { name: 'Remove the field invoice' }).click();
  await section.getByText('R-2026-18').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await section.getByText('R-2026-18').waitFor();
  const { metadata } = await admin('GET', pages.order.replace('/orders', '/api/data/order'));
  assert.deepEqual(metadata, { erpId: '4711', invoice: 'R-2026-18', warehouse: 'North, shelf 12' });
  await context.close();
});

test('unsaved changes of a form are not lost to a field', async () => {
  const { page, context } = await openConsole(pages.product);
  await page.getByLabel('Name').first().fill('Patron of the hall');
  const add = page.locator('[data-metadata]').getByRole('button', { name: 'Add a field' });
  await add.and(page.locator('[aria-disabled=true]')).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await add.and(page.locator(':not([aria-disabled=true])')).waitFor();
  await context.close();
});

test('the web pages that may use tokens are listed, and wrong addresses are named', async () => {
  const { page, context } = await openConsole('/tokens');
  const addresses = page.getByLabel('Addresses');
  await addresses.fill('https://shop.example.com/\nhttp://old.example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Please check: http://old.example.com').waitFor();
  await addresses.fill('https://shop.example.com/');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  assert.deepEqual((await admin('GET', '/api/admin/settings')).allowedOrigins, ['https://shop.example.com']);
  await picture(page, 'allowed-origins');
  await context.close();
});
