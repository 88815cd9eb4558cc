// Lists, selects and small steps of the console, as a person uses them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, phone, picture, settled } from './browser.mjs';
import { openConsole as open } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin;

before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true', WALLET_CLIENT_ID: 'the-operators-id', WALLET_CLIENT_SECRET: 'the-operators-secret' });
  admin = await signIn(server.url);
  await admin('POST', '/api/data/product', { name: 'Guild mug', sku: 'MUG-1', priceCents: 1500, stockQuantity: 3 });
  await admin('POST', '/api/data/product', { name: 'Poster', sku: 'POSTER', priceCents: 2700, stockQuantity: 90 });
  for (const [chatId, name] of [['1', 'Mia Larsson'], ['2', 'Bo Larsson'], ['3', 'Tom Weber']]) {
    await admin('POST', '/api/data/customer', { chatId, chatUsername: name.toLowerCase().replace(' ', '.'), chatDisplayName: name });
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const openConsole = (path, options) => open(browser, server.url, path, options);

function newOrder(orderNumber, name, more = {}) {
  return admin('POST', '/api/data/order', { orderNumber, customer: { name }, items: [{ productId: 'p', name: 'Poster', sku: 'POSTER', quantity: 1, unitPriceCents: 2700 }], ...more });
}

/** Waits until the text of a field begins so. */
async function shows(field, beginning) {
  for (const end = Date.now() + 10_000; Date.now() < end; await field.page().waitForTimeout(20)) if ((await field.inputValue()).startsWith(beginning)) return;
  assert.equal(await field.inputValue(), beginning);
}

const table = (page) => page.getByRole('table', { name: 'Orders' });

test('typing in a searchable select replaces the text, and Enter or Tab takes what is highlighted', async () => {
  await admin('PUT', '/api/admin/settings', { currency: 'EUR', timeZone: 'Europe/Berlin' });
  const { page, context } = await openConsole('/settings');
  const currency = page.getByRole('textbox', { name: 'Currency' });
  await currency.click();
  await page.keyboard.type('us');
  await page.getByRole('option', { name: /^USD/ }).waitFor();
  assert.equal(await currency.inputValue(), 'us');
  await page.keyboard.press('Enter');
  await shows(currency, 'USD');
  await page.keyboard.type('jpy');
  assert.equal(await currency.inputValue(), 'jpy');
  await page.keyboard.press('Tab');
  await shows(currency, 'JPY');
  await page.getByRole('textbox', { name: 'Time zone' }).focus();
  await page.keyboard.type('new york');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const settings = await admin('GET', '/api/admin/settings');
  assert.deepEqual([settings.currency, settings.timeZone], ['JPY', 'America/New_York']);
  await admin('PUT', '/api/admin/settings', { currency: 'USD', timeZone: 'UTC' });
  await context.close();
});

test('Enter in a select of customers never takes the one before, also when the answer comes late', async () => {
  const { items } = await admin('GET', '/api/data/customer?search=Mia');
  const { page, context } = await openConsole(`/orders?customerId=${items[0].id}`);
  let answer;
  const held = new Promise((resolve) => { answer = resolve; });
  await page.route(/\/api\/data\/customer\?.*search=Tom/, async (route) => { await held; await route.continue(); });
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Customer' });
  await field.click();
  await page.keyboard.type('Tom');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').getByText('Loading').or(page.getByText('Loading', { exact: true })).first().waitFor();
  assert.equal(await field.inputValue(), 'Tom');
  answer();
  await shows(field, 'Tom Weber');
  await page.waitForURL((url) => ![null, items[0].id].includes(url.searchParams.get('customerId')));
  await context.close();
});

test('a discount is saved only when it says how much, with which code and for which orders, and says before what it does', async () => {
  const { page, context } = await openConsole('/discounts/new');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  for (const problem of ['Enter the code that buyers type.', 'Enter how much it takes off.', 'Choose which orders it applies to.']) await page.getByText(problem, { exact: true }).waitFor();
  assert.equal((await admin('GET', '/api/data/discount')).items.length, 0);
  await page.getByRole('textbox', { name: /^Code/ }).fill('SUMMER');
  await page.getByRole('textbox', { name: /^Percent/ }).fill('15');
  await page.getByRole('radio', { name: 'Certain orders' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Choose at least one product, role or customer.').waitFor();
  await page.getByRole('textbox', { name: 'Products' }).click();
  await page.keyboard.type('Guild');
  await page.getByRole('option', { name: /Guild mug/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Takes 15 % off Guild mug · MUG-1. Buyers type SUMMER to get it. It starts at once and has no end. It can be used any number of times.').waitFor();
  await picture(page, 'console-discount-summary', { fullPage: true });
  await page.getByRole('radio', { name: 'Every order' }).check();
  await page.getByText('Takes 15 % off every order.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'SUMMER' }).waitFor();
  const [made] = (await admin('GET', '/api/data/discount')).items;
  assert.deepEqual([made.code, made.percent, made.scope.appliesToAll], ['SUMMER', 15, true]);
  await context.close();
});

test('a whole row opens its record; dragging selects text, the middle button opens a tab, a tick stays a tick', async () => {
  await newOrder('ROW-1', 'Rowena Row');
  const { page, context } = await openConsole('/orders?search=ROW-1');
  const row = table(page).getByRole('row', { name: /ROW-1/ });
  await row.getByRole('checkbox').check();
  const name = await row.getByText('Rowena Row').boundingBox();
  const middle = name.y + name.height / 2;
  await page.mouse.move(name.x + 2, middle);
  await page.mouse.down();
  await page.mouse.move(name.x + name.width - 2, middle, { steps: 5 });
  await page.mouse.up();
  assert.match(await page.evaluate(() => String(getSelection())), /owena/);
  assert.match(page.url(), /\/orders\?/);
  const [tab] = await Promise.all([context.waitForEvent('page'), row.getByText('Awaiting payment').click({ button: 'middle' })]);
  await tab.waitForURL(/\/console\/orders\/[^?]+$/);
  await tab.close();
  await row.getByText('Awaiting payment').click();
  await page.getByRole('heading', { level: 1, name: 'Order ROW-1' }).waitFor();
  await page.goBack();
  await row.getByRole('link', { name: 'ROW-1' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Order ROW-1' }).waitFor();
  await context.close();
});

test('a row of shipments opens its order, and a row of roles its dialog', async () => {
  const order = await newOrder('OPENS-1', 'Olga Opens');
  await admin('POST', '/api/data/shipment', { orderId: order.id, carrier: 'DHL', trackingNumber: 'OPENS1' });
  await admin('POST', '/api/admin/roles', { name: 'packer', description: 'Packs the parcels', keys: ['data.read'] });
  const { page, context } = await openConsole('/shipments?search=OPENS1');
  const row = page.getByRole('row', { name: /OPENS1/ });
  await row.getByRole('link', { name: 'OPENS-1' }).waitFor();
  await row.getByText('DHL').click();
  await page.getByRole('heading', { level: 1, name: 'Order OPENS-1' }).waitFor();
  await page.goBack();
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog', { name: 'Edit parcel' }).waitFor();

  await page.goto(`${server.url}/console/people`);
  await page.locator('[data-role="packer"]').getByText('Packs the parcels').click();
  await page.getByRole('dialog', { name: 'Edit role packer' }).waitFor();
  await context.close();
});

test('what the server says about a field is in German in the German console', async () => {
  const { page, context } = await openConsole('/webhooks', { locale: 'de-DE' });
  await page.getByRole('button', { name: 'Endpunkt hinzufügen' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Adresse').fill('http://example.com/hook');
  await dialog.getByRole('button', { name: 'Endpunkt hinzufügen' }).click();
  await dialog.getByText('muss mit https:// beginnen').waitFor();
  await context.close();
});

test('the next page begins at the top, and so does a record', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, index) => newOrder(`LONG-${index}`, 'Lotte Long')));
  const { page, context } = await openConsole('/orders');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'Previous page' }).waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await page.getByRole('button', { name: 'Next page' }).scrollIntoViewIfNeeded();
  await table(page).getByText('Lotte Long').last().click();
  await page.getByRole('heading', { level: 1, name: /Order LONG/ }).waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await context.close();
});

test('a search by name finds all orders: the open ones first, the closed ones below and counted', async () => {
  await newOrder('OPEN-1', 'Clara Closed');
  for (let index = 0; index < 12; ++index) await newOrder(`DONE-${index}`, 'Clara Closed', { status: 'COMPLETE' });
  await newOrder('ONCE-1', 'Only Past', { status: 'CANCELLED' });
  const { page, context } = await openConsole('/orders');
  await page.getByLabel('Number or customer').fill('Clara');
  await table(page).getByText('OPEN-1').waitFor();
  await page.getByRole('heading', { name: 'Closed orders that match 12' }).waitFor();
  const closed = page.getByRole('table', { name: 'Closed orders that match' });
  await closed.getByText('DONE-11').waitFor();
  assert.ok((await closed.boundingBox()).y > (await table(page).first().boundingBox()).y);
  await picture(page, 'console-orders-search');
  await page.getByRole('button', { name: 'Show all closed ones' }).click();
  await page.getByText('12 in total').waitFor();
  await page.goto(`${server.url}/console/orders?search=Only+Past`);
  await page.getByText('No open order matches').waitFor();
  await closed.getByText('ONCE-1').waitFor();
  await context.close();
});

test('the count of a filter never stands beside the rows of another', async () => {
  await newOrder('COUNT-1', 'Cora Count');
  const { page, context } = await openConsole('/orders');
  let answer;
  const held = new Promise((resolve) => { answer = resolve; });
  // The rows arrive later than their count.
  await page.route(/\/api\/data\/order\?.*search=COUNT.*limit=50|\/api\/data\/order\?.*limit=50.*search=COUNT/, async (route) => { await held; await route.continue(); });
  await page.getByLabel('Number or customer').fill('COUNT-1');
  await page.waitForResponse((reply) => /search=COUNT/.test(reply.url()) && /limit=1(&|$)/.test(reply.url()));
  await page.getByText('Updating…').waitFor();
  await page.locator('[aria-busy=true]').getByRole('row').nth(5).waitFor();
  assert.equal(await page.getByText('1 in total').count(), 0);
  answer();
  await page.getByText('1 in total').waitFor();
  assert.equal(await table(page).getByRole('row').count(), 2);  // with its head
  await context.close();
});

test('cards on a phone have a date', async () => {
  await newOrder('CARD-1', 'Cara Card');
  const { page, context } = await openConsole('/orders?search=CARD-1', { viewport: phone });
  const card = page.getByRole('listitem').filter({ hasText: 'CARD-1' });
  await card.locator('time').waitFor();
  await picture(page, 'console-orders-cards');
  await card.getByText('Cara Card').click();
  await page.getByRole('heading', { level: 1, name: 'Order CARD-1' }).waitFor();
  await context.close();
});

test('a finding on the home page opens the list of what needs attention', async () => {
  const { page, context } = await openConsole('/');
  await page.getByRole('link', { name: /^View .*running low/i }).click();
  await page.waitForURL(/\/products\?stock=low/);
  await page.getByRole('link', { name: 'Guild mug' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Poster' }).count(), 0);
  await context.close();
});

test('preparing orders needs no dialog, one at a time or several at once', async () => {
  const one = await newOrder('PREP-0', 'Petra Prepare', { status: 'PAID' });
  await newOrder('PREP-1', 'Petra Prepare', { status: 'PAID' });
  await newOrder('PREP-2', 'Petra Prepare', { status: 'PAID' });
  const { page, context } = await openConsole(`/orders/${one.id}`);
  await page.getByRole('button', { name: 'Start preparing' }).click();
  await page.getByRole('button', { name: 'Mark as shipped' }).waitFor();
  assert.equal((await admin('GET', `/api/data/order/${one.id}`)).status, 'FULFILLING');
  await page.goto(`${server.url}/console/orders?status=PAID&search=PREP`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Start preparing' }).click();
  await page.getByText('Now in preparation: 2').waitFor();
  await page.getByText('Nothing matches').waitFor();
  const { items } = await admin('GET', '/api/data/order?search=PREP&status=FULFILLING');
  assert.equal(items.length, 3);
  await context.close();
});

test('a payment method names its product, whose account gets the money, why it does not work yet, and where the keys are', async () => {
  const { page, context } = await openConsole('/payment-methods');
  const method = (name) => page.getByRole('region', { name });
  const paypal = page.getByRole('button', { name: /^PayPal/ });
  await paypal.filter({ hasText: "The money goes to the operator's account." }).click();
  await method(/^PayPal/).getByText(/Their money goes to the account that the operator of this server has with PayPal, not to you\./).waitFor();
  await page.getByRole('button', { name: /^Square/ }).filter({ hasText: 'No account is connected yet.' }).click();
  await method(/^Square/).getByText(/Enter the keys of your own: Location ID, Access token\./).waitFor();
  assert.match(await method(/^Square/).getByRole('link', { name: 'Where to find the keys of Square' }).getAttribute('href'), /^https:\/\/developer\.squareup\.com/);
  await picture(page, 'console-payment-methods', { fullPage: true });
  await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'WALLET', credentials: { clientId: 'own' } }] });
  await method(/^PayPal/).getByText('Some values of your account with PayPal are missing: Client secret.').waitFor();
  await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'WALLET', credentials: { clientSecret: 'own' } }] });
  await paypal.filter({ hasText: 'The money goes to your own account.' }).waitFor();
  await context.close();
});

/** In the page: the controls of the content that something else covers after they were scrolled into view. */
function covered() {
  const name = (element) => (element?.getAttribute('aria-label') || element?.textContent || element?.tagName || 'nothing').trim().slice(0, 60);
  const found = [];
  for (const control of document.querySelectorAll('a, button, input, textarea')) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || control.closest('.skip-link')) continue;
    control.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = control.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const same = at && (control.contains(at) || at.contains(control) || at.closest('label')?.control === control || control.closest('label')?.contains(at) || at.closest('.mantine-InputWrapper-root, .mantine-Input-wrapper')?.contains(control));
    if (!same) found.push(`${name(control)} is below ${name(at)}`);
  }
  return found;
}

for (const [size, viewport] of Object.entries({ phone, desktop })) {
  test(`no bar and no note covers a control on a ${size}`, async () => {
    await newOrder(`BARS-${size}`, 'Barbara Bars');
    const customer = await admin('POST', '/api/data/customer', { chatId: `bars-${size}`, chatUsername: 'bars', chatDisplayName: 'Barbara Bars' });
    const { page, context } = await openConsole(`/customers/${customer.id}`, { viewport });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('bars@example.com');
    await page.getByRole('button', { name: 'Discard changes' }).waitFor();
    await settled(page);
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--notes')), '');
    assert.deepEqual(await page.evaluate(covered), []);
    await picture(page, `console-bars-form-${size}`);
    await page.goto(`${server.url}/console/orders`);
    await page.getByRole('checkbox', { name: /^Select/ }).first().check();
    await page.getByRole('region', { name: 'Selected orders' }).waitFor();
    await settled(page);
    assert.deepEqual(await page.evaluate(covered), []);
    await picture(page, `console-bars-list-${size}`);
    await context.close();
  });
}
