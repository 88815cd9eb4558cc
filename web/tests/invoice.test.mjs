// The pay-by-invoice page as a customer meets it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, picture, violations, violationsInBothSchemes, watchedPage } from './browser.mjs';
import { startSandboxedServer } from './sandbox.mjs';
import { signIn } from './server.mjs';

const phone = { width: 360, height: 740 };

let sandbox, server, browser, admin;
let orders = 0;

before(async () => {
  ({ sandbox, server } = await startSandboxedServer({ uses: (name) => name.startsWith('CRYPTO_GATEWAY_') }));
  admin = await signIn(server.url);
  await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'BTC_GATEWAY', enabled: true }, { method: 'WALLET', enabled: true }, { method: 'CASH', enabled: true, settings: { showOnInvoice: true, instructions: 'At the till, Monday to Friday.\nPlease bring the exact amount.' } }, { method: 'P2P', enabled: true }] });
  await admin('POST', '/api/data/discount', { code: 'TEN', type: 'PERCENT', percent: 10 });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await sandbox?.stop();
});

async function newInvoice(more = {}) {
  const order = await admin('POST', '/api/data/order', {
    orderNumber: `W-${++orders}`,
    customer: { name: 'Ada <script>alert(1)</script>' },
    items: [
      { productId: 'p', name: 'A sword of considerable length & weight', sku: 'SWORD-1', quantity: 2, unitPriceCents: 123450 },
      { productId: 'q', name: 'Shield', sku: 'SHIELD', quantity: 1, unitPriceCents: 5000 },
    ],
    ...more,
  });
  const link = await admin('POST', `/api/orders/${order.id}/invoice-link`, {});
  return { order, ...link };
}

const newPage = (viewport, options = {}) => watchedPage(browser, [server.url, sandbox.url, 'null'], { viewport, ...options });

for (const [name, viewport] of [['phone', phone], ['desktop', desktop]]) {
  test(`the invoice can be read and paid on a ${name}`, async () => {
    const { page, trouble, context } = await newPage(viewport);
    const invoice = await newInvoice({ discountCode: 'TEN' });
    await page.goto(invoice.url);
    assert.match(await page.title(), /Invoice W-/);
    const text = await page.locator('main').innerText();
    for (const part of [invoice.order.orderNumber, 'Ada <script>', '$1,234.50', '$2,469.00', 'Discount (TEN)', '−$251.90', '$2,267.10']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.equal(await page.getByRole('button').count(), 1, 'a button for each processor that can open a payment, none for cash');
    for (const part of ['Cash', 'At the till, Monday to Friday.']) assert.ok(text.includes(part), part);
    assert.ok(!text.includes('Direct transfer'), 'a manual method is shown only where the shop wants it');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(overflow, 0, 'nothing sticks out');
    assert.deepEqual(await violations(page), []);
    await picture(page, `invoice-${name}`, { fullPage: true });

    await page.getByRole('button', { name: 'Pay with Bitcoin' }).click();
    await page.waitForURL(({ href }) => href.startsWith(sandbox.url));
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL(invoice.url);
    await page.getByText('This invoice is paid').waitFor();
    assert.equal(await page.getByRole('button').count(), 0);
    assert.match(await page.getByRole('link', { name: 'Show the receipt' }).getAttribute('href'), /^\/orders\/receipt\//);
    assert.deepEqual(await violations(page), []);
    await picture(page, `paid-${name}`, { fullPage: true });
    assert.equal((await admin('GET', `/api/data/order/${invoice.order.id}`)).status, 'PAID');
    assert.deepEqual(trouble, []);
    await context.close();
  });
}

test('the invoice works without JavaScript, in the dark, and by keyboard', async () => {
  const { page, trouble, context } = await newPage(phone, { javaScriptEnabled: false, colorScheme: 'dark' });
  const invoice = await newInvoice();
  await page.goto(invoice.url);
  await picture(page, 'invoice-dark', { fullPage: true });
  await page.getByRole('button', { name: 'Pay with Bitcoin' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByText('This invoice is paid').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the invoice is in the language and the time zone of the buyer', async () => {
  const { page, trouble, context } = await newPage(phone, { locale: 'de-DE', timezoneId: 'Pacific/Kiritimati' });
  const invoice = await newInvoice();
  await page.goto(invoice.url);
  await page.getByRole('heading', { name: `Rechnung ${invoice.order.orderNumber}` }).waitFor();
  const shown = new Date(invoice.order.createdAt).toLocaleString('de', { timeZone: 'Pacific/Kiritimati', dateStyle: 'long', timeStyle: 'short' });
  assert.equal(await page.locator('dl time').textContent(), shown);
  assert.ok((await page.locator('main').innerText()).includes('2.519,00\u00a0$'));
  await page.getByRole('button', { name: 'Mit Bitcoin bezahlen' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'invoice-german', { fullPage: true });
  await admin('PATCH', `/api/data/order/${invoice.order.id}`, { status: 'PAID' });
  await page.reload();
  await page.getByRole('link', { name: 'Quittung ansehen' }).click();
  await page.getByRole('heading', { name: `Quittung ${invoice.order.orderNumber}` }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the dark page has no violations either', async () => {
  const { page, context } = await newPage(desktop, { colorScheme: 'dark' });
  await page.goto((await newInvoice()).url);
  assert.deepEqual(await violations(page), []);
  await picture(page, 'invoice-dark-desktop', { fullPage: true });
  await context.close();
});

/** A picture of a few shapes, as PNG. */
async function drawn(width, height, content) {
  const { page, context } = await newPage({ width, height });
  await page.setContent(`<body style="margin:0">${content}</body>`);
  const bytes = await page.screenshot();
  await context.close();
  return bytes;
}

const svg = (shapes) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" style="display:block">${shapes}</svg>`;

test('the page shows the shop and its products', async () => {
  const sword = await admin('POST', '/api/data/product', { name: 'Sword', sku: 'SWORD', priceCents: 123450 });
  await admin('PUT', `/api/data/product/${sword.id}/image`, await drawn(900, 900, svg('<rect width="100" height="100" fill="#94a3b8"/><rect x="46" y="8" width="8" height="66" fill="#f1f5f9"/><rect x="28" y="70" width="44" height="7" fill="#713f12"/><rect x="46" y="77" width="8" height="16" fill="#422006"/>')));
  await admin('PUT', '/api/admin/branding/logo', await drawn(400, 400, svg('<rect width="100" height="100" fill="#fff"/><circle cx="50" cy="50" r="46" fill="#14532d"/><path d="M50 15 60 45 90 50 60 55 50 85 40 55 10 50 40 45Z" fill="#fde68a"/>')));
  const items = [
    { productId: sword.id, name: 'A sword of considerable length & weight', sku: 'SWORD', quantity: 2, unitPriceCents: 123450 },
    { productId: 'q', name: 'Shield', sku: 'SHIELD', quantity: 1, unitPriceCents: 5000 },
  ];
  const { page, trouble, context } = await newPage(phone, { colorScheme: 'light' });
  for (const [index, accentColor] of ['#14532d', '#ffd400', '#7a7a7a', '#ffffff'].entries()) {
    await admin('PUT', '/api/admin/branding', { name: 'The Wandering Blacksmith', accentColor });
    const invoice = await newInvoice({ items, customer: { name: 'Ada Lovelace' } });
    // Another accent colour changes nothing but colours, and they are the same in every size.
    for (const [name, viewport] of [['phone', { width: 390, height: 844 }], ['desktop', { width: 1280, height: 800 }]].slice(0, index === 0 ? 2 : 1)) {
      await page.setViewportSize(viewport);
      await page.goto(invoice.url);
      assert.match(await page.locator('header').innerText(), /The Wandering Blacksmith/);
      const widths = await page.locator('img').evaluateAll((images) => images.map((image) => image.naturalWidth));
      assert.deepEqual(widths, [320, 320], 'logo and sword');
      const found = await violationsInBothSchemes(page, `invoice-branded-${accentColor.slice(1)}-${name}`, { screenshot: { fullPage: true }, onlyColours: index > 0 });
      assert.deepEqual(found, [], `${accentColor} ${name}`);
      assert.deepEqual(trouble, []);
    }
  }
  await context.close();
  await admin('PUT', '/api/admin/branding', { name: null, accentColor: null });
  await admin('DELETE', '/api/admin/branding/logo');
});

test('on paper there are no buttons', async () => {
  const { page, context } = await newPage(desktop);
  await page.goto((await newInvoice()).url);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('button', { name: 'Pay with Bitcoin' }).isVisible(), false);
  assert.equal(await page.getByText('At the till').isVisible(), true, 'instructions are of use on paper');
  await picture(page, 'invoice-print', { fullPage: true });
  await context.close();
});

test('expired, tampered and revoked links show the same page', async () => {
  const { page, context } = await newPage(phone);
  const invoice = await newInvoice();
  const short = await admin('POST', `/api/orders/${invoice.order.id}/invoice-link`, { expiresInSeconds: 1 });
  const tampered = invoice.url.slice(0, -6) + (invoice.url.at(-6) === 'A' ? 'B' : 'A') + invoice.url.slice(-5);
  const bodies = [];
  const visit = async (url) => {
    const reply = await page.goto(url);
    assert.equal(reply.status(), 404);
    bodies.push(await page.content());
  };
  await visit(tampered);
  assert.deepEqual(await violations(page), []);
  await picture(page, 'not-found-phone', { fullPage: true });
  while (Date.now() <= Date.parse(short.expiresAt)) await new Promise((resolve) => setTimeout(resolve, 50));
  await visit(short.url);
  await admin('DELETE', `/api/orders/${invoice.order.id}/invoice-link`);
  await visit(invoice.url);
  assert.equal(new Set(bodies).size, 1);
  await context.close();
});

test('a processor that is down gives a friendly page and a retry', async () => {
  const { page, context } = await newPage(phone);
  const invoice = await newInvoice();
  await page.goto(invoice.url);
  await sandbox.control('PUT', '/faults/gateway', { kind: 'error', calls: 1 });
  await page.getByRole('button', { name: 'Pay with Bitcoin' }).click();
  await page.getByText('Nothing was paid').waitFor();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'processor-down-phone', { fullPage: true });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByText('This invoice is paid').waitFor();
  await context.close();
});
