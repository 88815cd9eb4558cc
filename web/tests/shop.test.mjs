// The daily work of a shop in the console: orders. On both pairs of engines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { phone, settled } from './browser.mjs';
import { signInByForm, sweepConsole } from './console.mjs';
import { onEachPair } from './shop.mjs';

onEachPair((shop) => {
  const { pair, checked, admin, openConsole, newOrder, accessible } = shop;

  test('an order is placed, paid, shipped and refunded, and every step is in its history', async () => {
    const { page, trouble, context } = await openConsole('/orders/new');
    await page.getByLabel("Customer name").fill('Aiko Tanaka');
    await page.getByRole('textbox', { name: 'Product' }).click();
    await page.getByRole('option', { name: /Guild mug/ }).click();
    await page.getByRole('button', { name: /Place order for \$15\.00/ }).click();
    for (const step of ['Mark as paid', 'Start preparing', 'Mark as shipped']) {
      await page.getByRole('button', { name: step }).click();
      if (step === 'Start preparing') continue; // without a dialog, since no message is sent to the buyer
      await page.getByRole('dialog').getByRole('button', { name: step }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    const number = (await page.getByRole('heading', { level: 1 }).textContent()).replace('Order ', '');
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Type .* to confirm/).fill(number);
    await dialog.getByRole('button', { name: 'Refund $15.00' }).click();
    await page.getByText('Refunded').first().waitFor();
    const page1 = await admin('GET', '/api/data/order?limit=1');
    assert.equal(page1.items[0].status, 'REFUNDED');
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('an order for a known customer has the name, the address and the chat account', async () => {
    await admin('POST', `/api/data/customer/${shop.customer.id}/address`, { addressId: 'home', name: 'Mia', line1: '1 Mill Lane', city: 'Ely', state: 'CB', postalCode: 'CB7', country: 'GB' });
    const { page, trouble, context } = await openConsole('/orders/new');
    await page.getByRole('textbox', { name: 'Customer', exact: true }).fill('mia');
    await page.getByRole('option', { name: /Mia Larsson/ }).click();
    await page.getByRole('textbox', { name: 'Product' }).click();
    await page.getByRole('option', { name: /Guild mug/ }).click();
    assert.equal(await page.getByLabel('City').inputValue(), 'Ely');
    await page.getByRole('button', { name: /Place order for \$15\.00/ }).click();
    await page.getByRole('link', { name: 'Mia Larsson' }).waitFor();
    const order = await admin('GET', `/api/data/order/${page.url().split('/').at(-1)}`);
    assert.deepEqual([order.customerId, order.customer.chatId, order.customer.email, order.shippingAddress.line1], [shop.customer.id, '42', 'mia@example.com', '1 Mill Lane']);
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('a refund that is clicked twice is paid once', async () => {
    const order = await newOrder('TWICE', { status: 'PAID' });
    const { page, context } = await openConsole(`/orders/${order.id}`);
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('label', { hasText: 'An amount' }).click();
    await dialog.getByLabel(/Amount in USD/).fill('10.00');
    await dialog.getByLabel(/Type .* to confirm/).fill('TWICE');
    await dialog.getByRole('button', { name: 'Refund $10.00' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    const refunds = await admin('GET', `/api/data/order/${order.id}/refunds`);
    assert.deepEqual(refunds.items.map((refund) => refund.amountCents), [1000]);
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
    await signInByForm(dialog);
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
    await page.getByText('You do not have permission to do this.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Payments' }).getAttribute('data-disabled'), 'true');
    await context.close();
  });

  test('two browsers that edit one order see both versions and choose', async () => {
    const order = await newOrder('BOTH-1');
    const one = await openConsole(`/orders/${order.id}`);
    const other = await openConsole(`/orders/${order.id}`);
    for (const [{ page }, notes] of [[one, 'Notes of one'], [other, 'Notes of the other']]) await page.getByLabel('Notes').fill(notes);
    await one.page.getByRole('button', { name: 'Save' }).click();
    await one.page.getByText('Saved', { exact: true }).waitFor();
    await other.page.getByRole('button', { name: 'Save' }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.getByText('Notes of one').waitFor();
    await accessible(other.page, 'conflict');
    await dialog.locator('label', { hasText: 'Take theirs' }).click();
    await dialog.getByRole('button', { name: 'Save my choice' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await admin('GET', `/api/data/order/${order.id}`)).notes, 'Notes of one');
    await one.context.close();
    await other.context.close();
  });

  test('several orders are marked as paid, each with a result of its own', async () => {
    const orders = [await newOrder('BULK-1'), await newOrder('BULK-2'), await newOrder('BULK-3', { status: 'PAID' })];
    const { page, trouble, context } = await openConsole('/orders?search=BULK');
    for (const { orderNumber } of orders) await page.getByLabel(`Select ${orderNumber}`).check();
    await page.getByText('Selected: 3').waitFor();
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Left unchanged because of their status: 1.').waitFor();
    await accessible(page, 'bulk');
    // Somebody cancels one of them before the button is pressed.
    await admin('PATCH', `/api/data/order/${orders[1].id}`, { status: 'CANCELLED' });
    await dialog.getByRole('button', { name: 'Mark 2 as paid' }).click();
    await dialog.getByText('1 of 2 done, 1 failed').waitFor();
    await dialog.getByText('Someone has changed it in the meantime: Cancelled.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const states = await Promise.all(orders.map(({ id }) => admin('GET', `/api/data/order/${id}`).then((order) => order.status)));
    assert.deepEqual(states, ['PAID', 'CANCELLED', 'PAID']);
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('filters narrow the list on the server, and a view keeps them', async () => {
    await newOrder('SMALL', { items: [{ productId: 'p', name: 'Pin', sku: 'PIN', quantity: 1, unitPriceCents: 100 }] });
    await newOrder('LARGE', { items: [{ productId: 'p', name: 'Throne', sku: 'THRONE', quantity: 1, unitPriceCents: 900_000 }] });
    const { page, trouble, context } = await openConsole('/orders', { viewport: phone });
    await page.getByRole('button', { name: 'Filters' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Total at least').fill('8000');
    await accessible(page, 'filters-phone');
    await panel.getByRole('button', { name: 'Show results' }).click();
    await page.getByText('Total at least: 8000').waitFor();
    await page.getByText('LARGE', { exact: true }).waitFor();
    await page.getByText('1 in total').waitFor();
    await page.getByText('SMALL', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('Big ones');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.goto(`${shop.server.url}/console/orders?view=all`);
    await page.getByText('SMALL', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Big ones' }).click();
    await page.getByText('SMALL', { exact: true }).waitFor({ state: 'detached' });
    await page.waitForURL(/totalMin=8000/);
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('pages have positions in the address bar, and leading back works', async () => {
    for (let n = 100; n < 155; ++n) await newOrder(`PAGE-${n}`);
    const { page, context } = await openConsole('/orders?search=PAGE-');
    await page.getByText('PAGE-154').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('PAGE-104').waitFor();
    await page.reload();
    await page.getByText('PAGE-104').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByText('PAGE-154').waitFor();
    await page.goBack();
    await page.getByText('PAGE-104').waitFor();
    await context.close();
  });

  test('the CSV has the filtered orders, and no formula', async () => {
    await newOrder('CSV-1', { customer: { name: '=HYPERLINK("http://evil")', email: 'eve@example.com' } });
    const { page, context } = await openConsole('/orders?search=CSV-1');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8').trim().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1], /^CSV-1,Awaiting payment,/);
    assert.match(lines[1], /"'=HYPERLINK\(""http:\/\/evil""\)"/);
    await page.getByText('Orders in the file: 1.').waitFor();
    await context.close();
  });

  test('some items are refunded after a preview that says who returns the money', async () => {
    const order = await newOrder('ITEMS-1', { status: 'PAID', discountCode: 'TEN' });
    const { page, trouble, context } = await openConsole(`/orders/${order.id}`);
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('label', { hasText: /^Items$/ }).click();
    await dialog.getByLabel('Refund Guild mug').fill('1');
    await dialog.getByText('You pay this back yourself; here it is only recorded.').waitFor();
    await accessible(page, 'refund');
    await dialog.getByLabel(/Type .* to confirm/).fill('ITEMS-1');
    await dialog.getByRole('button', { name: 'Refund $13.50' }).click();
    await dialog.waitFor({ state: 'detached' });
    const refunds = await admin('GET', `/api/data/order/${order.id}/refunds`);
    assert.deepEqual(refunds.items.map((refund) => refund.amountCents), [1350]);
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('You can refund up to $13.50').waitFor();
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('an order is edited, and a price that was set by hand is shown', async () => {
    const order = await newOrder('EDIT-1');
    const { page, trouble, context } = await openConsole(`/orders/${order.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quantity').fill('3');
    await dialog.getByLabel('Unit price').fill('12.00');
    await dialog.getByLabel('City').fill('Uppsala');
    await accessible(page, 'edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('instead of $15.00', { exact: true }).waitFor();
    await page.getByText('Uppsala').first().waitFor();
    const changed = await admin('GET', `/api/data/order/${order.id}`);
    assert.equal(changed.totalCents, 3600);
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('the pages of records are accessible on a phone and a desktop, in light and dark colours', { skip: !checked }, async () => {
    const order = await newOrder('LOOK-1', { status: 'PAID', discountCode: 'TEN', customer: { name: 'Bartholomew Featherstonehaugh-Cholmondeley' } });
    const [discount] = (await admin('GET', '/api/data/discount?search=TEN')).items;
    const user = await admin('POST', '/api/data/user', { username: 'look', displayName: 'Lou' });
    const records = [`/orders/${order.id}`, `/products/${shop.mug.id}`, `/discounts/${discount.id}`, `/customers/${shop.customer.id}`, `/people/${user.id}`, '/payments?attention=true', '/entitlements', '/orders?search=LOOK&status=PAID&totalMin=1'];
    const { page, trouble, context } = await openConsole('/orders', { colorScheme: 'light' });
    assert.deepEqual(await sweepConsole(page, records, 'shop'), {});
    assert.deepEqual(trouble, []);
    await context.close();
  });

  test('a server that restarts in mid-stream is followed again, and nothing is missed', async () => {
    const { page, context } = await openConsole('/orders');
    await shop.server.restart(() => page.getByText('Reconnecting').waitFor());
    await newOrder('AFTER-RESTART');
    await page.getByRole('button', { name: /Show 1 new order/ }).click({ timeout: 60_000 });
    await page.getByText('AFTER-RESTART').waitFor();
    await page.getByText('Reconnecting').waitFor({ state: 'detached' });
    await context.close();
  });

  /** The processor time that scripts of the page take while `action` runs, in milliseconds. */
  async function scripting(page, action) {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const read = async () => (await devtools.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'ScriptDuration').value * 1000;
    const start = await read();
    await action();
    await settled(page);
    const spent = (await read()) - start;
    await devtools.detach();
    return Math.round(spent);
  }

  const long = process.env.GUILDHALL_LONG === '1';
  test('with 100,000 orders, paging and filtering take less than 100 ms of scripting', { skip: !long || pair === 'SQLite and memory' }, async (t) => {
    await newOrder('SEED');
    shop.server.sql(`INSERT INTO orders SELECT copy.* FROM orders o, generate_series(1, 100000) n,
      LATERAL jsonb_populate_record(NULL::orders, to_jsonb(o) || jsonb_build_object(
        'id', '01a00000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), 'order_number', 'H-' || n, 'search', 'h-' || n, 'search_text', 'h-' || n || ' mia',
        'created_at', o.created_at - n * 1000)) copy WHERE o.order_number = 'SEED'`);
    const { page, context } = await openConsole('/orders?view=all&search=H-');
    await page.getByText('H-50', { exact: true }).waitFor();
    const paging = await scripting(page, async () => {
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('H-100', { exact: true }).waitFor();
    });
    const filtering = await scripting(page, async () => {
      await page.getByRole('button', { name: 'Awaiting payment' }).click();
      await page.waitForURL(/status=PENDING_PAYMENT/);
    });
    t.diagnostic(`scripting: ${paging} ms for a page, ${filtering} ms for a filter`);
    assert.ok(paging < 100 && filtering < 100, `${paging} ms for a page, ${filtering} ms for a filter`);
    await context.close();
  });
});
