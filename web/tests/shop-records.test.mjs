// The records of a shop in the console: products, discounts, customers, roles. On both pairs of engines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settled } from './browser.mjs';
import { onEachPair } from './shop.mjs';

onEachPair((shop) => {
  const { admin, openConsole, newOrder, accessible } = shop;

  test('price and stock are changed in the table, but not over the change of somebody else', async () => {
    const product = await admin('POST', '/api/data/product', { name: 'Banner', sku: 'BANNER', priceCents: 3000, stockQuantity: 7 });
    const { page, context } = await openConsole('/products?search=BANNER');
    await page.getByRole('button', { name: 'Change Price of Banner' }).click();
    await page.getByLabel('Price of Banner').fill('31.50');
    await page.keyboard.press('Enter');
    await page.getByText('$31.50').waitFor();
    await page.getByRole('button', { name: 'Change Stock of Banner' }).click();
    await page.getByLabel('Stock of Banner').fill('9');
    await admin('PATCH', `/api/data/product/${product.id}`, { stockQuantity: 2 });
    await page.keyboard.press('Enter');
    await page.getByText('Someone has changed this in the meantime.').waitFor();
    await page.keyboard.press('Escape');
    const stored = await admin('GET', `/api/data/product/${product.id}`);
    assert.deepEqual([stored.priceCents, stored.stockQuantity], [3150, 2]);
    await context.close();
  });

  test('a new product gets a picture, which is replaced and removed', async () => {
    const { page, trouble, context } = await openConsole('/products/new');
    const picture = async (colour) => {
      const url = await page.evaluate((fill) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
        const pen = canvas.getContext('2d');
        pen.fillStyle = fill;
        pen.fillRect(0, 0, 64, 64);
        return canvas.toDataURL('image/png');
      }, colour);
      return { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1], 'base64') };
    };
    await page.getByLabel('Name').fill('Flag');
    await page.getByLabel('SKU').fill(`FLAG-1`);
    await page.getByRole('textbox', { name: 'Price' }).fill('8');
    await page.getByLabel('Choose picture').setInputFiles(await picture('red'));
    await page.getByRole('img', { name: /Picture of/ }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Flag' }).waitFor();
    const id = page.url().split('/').at(-1);
    const first = (await admin('GET', `/api/data/product/${id}`)).image;
    assert.ok(first);
    await page.getByLabel('Choose picture').setInputFiles(await picture('blue'));
    await page.locator(`img[src="${first.thumbnailUrl}"]`).first().waitFor({ state: 'detached' });
    await settled(page);
    assert.notEqual((await admin('GET', `/api/data/product/${id}`)).image.url, first.url);
    await accessible(page, 'product');
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await page.getByRole('button', { name: 'Choose picture' }).waitFor();
    assert.equal((await admin('GET', `/api/data/product/${id}`)).image, null);
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('a CSV file of products is tried out before it is imported', async () => {
    await admin('POST', '/api/data/product', { name: 'Old lamp', sku: 'LAMP', priceCents: 5000, stockQuantity: 1 });
    const { page, trouble, context } = await openConsole('/products');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import CSV' }).click();
    const text = 'sku;name;price;stock;metadata\nLAMP;;45,00;;\nROPE;"Rope; long";3.20;12;"{""erpId"":""4711""}"\nROPE;Again;1;1;\n;No SKU;1;1;\nBAD;Bad;one;x;[1]\n';
    await page.locator('input[type=file]').setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('1 new, 1 changed, 0 unchanged, 3 invalid').waitFor();
    await page.getByText('Old lamp: Price: 50.00 → 45.00').waitFor();
    await accessible(page, 'import');
    assert.equal((await admin('GET', '/api/data/product?sku=ROPE')).items.length, 0, 'the dry run writes nothing');
    await page.getByRole('button', { name: 'Import products (2)' }).click();
    await page.getByText('Saved: 2, failed: 0').waitFor();
    const [rope] = (await admin('GET', '/api/data/product?sku=ROPE')).items;
    const [lamp] = (await admin('GET', '/api/data/product?sku=LAMP')).items;
    assert.deepEqual([rope.name, rope.priceCents, rope.stockQuantity, lamp.priceCents, lamp.stockQuantity], ['Rope; long', 320, 12, 4500, 1]);
    assert.deepEqual(rope.metadata, { erpId: '4711' });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'More' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download CSV' }).click()]);
    const exported = readFileSync(await file.path(), 'utf8');
    assert.match(exported, /ROPE,Rope; long,,3\.20,USD,12,true,false,"\{""erpId"":""4711""\}"/);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import CSV' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(exported.replace('""4711""', '""4712""')) });
    await page.getByText('Rope; long: Data of other programs: {"erpId":"4711"} → {"erpId":"4712"}').waitFor();
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('a discount says what an order would cost', async () => {
    const [discount] = (await admin('GET', '/api/data/discount?search=TEN')).items;
    const { page, trouble, context } = await openConsole(`/discounts/${discount.id}`);
    await page.getByRole('textbox', { name: 'Product' }).first().fill('mug');
    await page.getByRole('option', { name: /Guild mug/ }).click();
    await page.getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Calculate price' }).click();
    await page.getByText('$27.00').waitFor();
    await page.getByText(/Discount TEN: 10 % of/i).waitFor();
    await accessible(page, 'quote');
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test("a customer's data are exported and erased", async () => {
    const eve = await admin('POST', '/api/data/customer', { chatId: '666', chatUsername: 'eve', chatDisplayName: 'Eve Adams', email: 'eve@example.com' });
    const order = await newOrder('EVE-1', { customerId: eve.id, customer: { name: 'Eve Adams', email: 'eve@example.com' }, shippingAddress: { city: 'Eden' } });
    const { page, trouble, context } = await openConsole(`/customers/${eve.id}`);
    await page.getByText('EVE-1').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export data' }).click();
    const data = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
    assert.deepEqual([data.customer.id, data.orders.length], [eve.id, 1]);
    await page.getByRole('button', { name: 'Erase personal data' }).click();
    const dialog = page.getByRole('dialog');
    await accessible(page, 'erase');
    await dialog.getByLabel(/Type eve to confirm/).fill('eve');
    await dialog.getByRole('button', { name: 'Erase personal data' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Erased customer' }).waitFor();
    const erased = await admin('GET', `/api/data/order/${order.id}`);
    assert.deepEqual([erased.customer.name, erased.customer.email ?? null, erased.shippingAddress ?? null], ['Erased customer', null, null]);
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('a role that could not be given is tried again', async () => {
    const order = await newOrder('ROLE-1', { status: 'PAID', customer: { name: 'Mia', chatId: '42' } });
    const [role] = (await admin('GET', `/api/data/entitlement?orderId=${order.id}&type=CHAT_ROLE`)).items;
    await admin('PATCH', `/api/data/entitlement/${role.id}`, { status: 'FAILED' });
    const { page, trouble, context } = await openConsole('/entitlements?status=FAILED');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Trying again.').waitFor();
    assert.notEqual((await admin('GET', `/api/data/entitlement/${role.id}`)).status, 'FAILED');
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('a role of the shop is made in words and given to a person', async () => {
    const user = await admin('POST', '/api/data/user', { username: 'packer-1', displayName: 'Pia Packer' });
    const { page, trouble, context } = await openConsole('/people');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('packer');
    await dialog.getByLabel('What it is for').fill('Packs parcels');
    await dialog.getByLabel('View orders, products, customers and shipments.').check();
    await accessible(page, 'role');
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${shop.server.url}/console/people/${user.id}`);
    await page.getByLabel('packer', { exact: true }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.deepEqual((await admin('GET', `/api/admin/grants/${user.id}`)).keys, ['packer']);
    assert.deepEqual(trouble, []);
    await context.close();
  });
});
