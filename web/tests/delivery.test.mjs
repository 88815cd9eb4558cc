// Digital delivery in the console: what buyers of a product get, its keys, and what a buyer has got.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { openConsole, sweepConsole } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin, product;

before(async () => {
  server = await startServer({});
  admin = await signIn(server.url);
  product = await admin('POST', '/api/data/product', { name: 'Star Game', sku: 'GAME', priceCents: 2000, isDigital: true });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('keys are added to a product, sold, shown to staff as the buyer sees them, and replaced', async () => {
  const { page, context } = await openConsole(browser, server.url, `/products/${product.id}`);
  const delivery = page.getByRole('region', { name: 'Delivery' });
  const dialog = page.getByRole('dialog');
  await delivery.getByRole('button', { name: 'Add content' }).click();
  await dialog.getByRole('radio', { name: 'Keys from your list' }).check();
  await dialog.getByLabel('Name').fill('Game key');
  await dialog.getByRole('button', { name: 'Add content' }).click();
  await delivery.getByText('No free keys').waitFor();

  await delivery.getByRole('button', { name: 'Add keys' }).click();
  await dialog.getByRole('textbox', { name: 'Keys' }).fill('STAR-0000-0001\nSTAR-0000-0002\n\nSTAR-0000-0001\n');
  await dialog.getByText('3 keys found').waitFor();
  await dialog.getByRole('button', { name: 'Add keys (3)' }).click();
  await dialog.getByText('Line 4 is the same as line 1').waitFor();
  await dialog.getByRole('button', { name: 'Take these lines out (1)' }).click();
  await dialog.getByRole('button', { name: 'Add keys (2)' }).click();
  await delivery.getByText('2 free, 0 sold').waitFor();
  await page.getByText('The number of free keys.').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'In stock' }).inputValue(), '2');

  const { id } = await admin('POST', '/api/data/order', { orderNumber: 'G-1', status: 'PAID', customer: { name: 'Mia' }, items: [{ productId: product.id, quantity: 1 }] });
  await page.goto(`${server.url}/console/orders/${id}`);
  await page.getByRole('button', { name: 'Delivery' }).click();
  await dialog.getByText('The audit trail notes').waitFor();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await dialog.getByText('STAR-0000-0001').waitFor();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await dialog.last().getByText('stops working').waitFor();
  await dialog.last().getByRole('button', { name: 'Replace' }).click();
  await page.getByText('The buyer has another key.').waitFor();
  await dialog.getByText('Revoked').waitFor();
  await dialog.getByText('…0002').waitFor();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await dialog.getByText('STAR-0000-0002').waitFor();
  await context.close();
});

test('delivery is accessible on a phone and a desktop, in light and dark colours', async () => {
  await admin('POST', `/api/data/product/${product.id}/deliverable`, { kind: 'LINK', name: 'Handbook', content: 'https://example.org/handbook' });
  const { items } = await admin('GET', `/api/data/product/${product.id}/deliverable`);
  const { page, trouble, context } = await openConsole(browser, server.url, '/', { colorScheme: 'light' });
  const pool = items.find(({ kind }) => kind === 'KEY_POOL');
  const paths = [`/products/${product.id}`, `/products/${product.id}/keys/${pool.id}`, '/entitlements'];
  assert.deepEqual(await sweepConsole(page, paths, 'delivery'), {});
  assert.deepEqual(trouble, []);
  await context.close();
});
