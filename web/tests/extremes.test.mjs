// Every page of the console with names that are too long and with huge amounts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, navigate, phone, picture, settled } from './browser.mjs';
import { openConsole as open } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin;
const records = {};

const solid = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5).slice(0, 200);
const email = `${'x'.repeat(60)}@${'subdomain.'.repeat(15)}example.com`;

before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true' });
  admin = await signIn(server.url);
  await admin('PUT', '/api/admin/settings', { currency: 'JPY', timeZone: 'Asia/Tokyo' });
  await admin('PUT', '/api/admin/branding', { name: solid.slice(0, 100) });
  const product = await admin('POST', '/api/data/product', { name: solid, sku: 'S'.repeat(64), description: solid, priceCents: 999_999_999, currency: 'JPY', stockQuantity: 999_999, grantedRoleIds: ['77'] });
  await admin('POST', '/api/data/product', { name: 'Coin', sku: 'COIN', priceCents: 123_456_789, currency: 'KWD' });
  const discount = await admin('POST', '/api/data/discount', { code: 'C'.repeat(64), type: 'PERCENT', percent: 10 });
  const customer = await admin('POST', '/api/data/customer', { chatId: '42', chatUsername: solid.slice(0, 100), chatDisplayName: solid, email });
  const item = { productId: product.id, name: solid, sku: 'S'.repeat(64), quantity: 10_000, unitPriceCents: 9_999_999 };
  for (const [number, currency] of [['N'.repeat(64), 'JPY'], ['KWD-1', 'KWD']]) {
    const order = await admin('POST', '/api/data/order', {
      orderNumber: number, status: 'PAID', currency, customerId: customer.id, customer: { name: solid, email, chatId: '42' },
      shippingAddress: { line1: solid, city: solid }, notes: solid, items: [item],
    });
    await admin('POST', '/api/data/shipment', { orderId: order.id, carrier: solid.slice(0, 60), trackingNumber: 'T'.repeat(100) });
    await admin('POST', `/api/data/order/${order.id}/refund`, { amountCents: 123_456, reason: solid });
    records.orders = order.id;
  }
  const user = await admin('POST', '/api/data/user', { username: solid.slice(0, 60), displayName: solid, email });
  const endpoint = await admin('POST', '/api/admin/webhook-endpoints', { url: `https://example.com/${encodeURIComponent(solid)}`, events: ['order.paid'] });
  await admin('PUT', '/api/admin/community-fund/config', { enabled: true, publicViewEnabled: true, currency: 'KWD' });
  await admin('POST', '/api/admin/community-fund/contributions', { customerId: customer.id, amountCents: 99_999_999_999 });
  await admin('POST', '/api/admin/roles', { name: 'r'.repeat(60), description: solid, keys: ['data.read'] });
  await admin('POST', '/api/admin/invitations', { name: solid.slice(0, 100), keys: ['TenantStaff'] });
  Object.assign(records, { products: product.id, discounts: discount.id, customers: customer.id, people: user.id, webhooks: endpoint.id });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const lists = ['/', '/orders', '/products', '/discounts', '/customers', '/payments', '/fund', '/fund?tab=public', '/reports', '/reports?tab=products',
  '/reports?tab=customers', '/entitlements', '/shipments', '/webhooks', '/people', '/audit', '/settings', '/welcome?step=product', '/welcome?step=trial'];
const allPages = () => [...lists, ...Object.entries(records).map(([section, id]) => `/${section}/${id}`)];

/** In the page: what is wider than the page, or than the box that it stands in. */
function tooWide() {
  const found = [...document.querySelectorAll('body *')].filter((element) => {
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || element.closest('.mantine-Tabs-list, svg, .skip-link')) return false;
    for (let outer = element; outer; outer = outer.parentElement) if (getComputedStyle(outer).overflowX !== 'visible' && outer !== document.body) return false;
    const paper = element.closest('.mantine-Paper-root');
    return box.right > innerWidth + 1 || (paper !== null && box.right > paper.getBoundingClientRect().right + 1);
  });
  return found.slice(0, 3).map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 40)}`);
}

test('long names and large amounts fit into every page on a phone and a desktop', async () => {
  const { page, trouble, context } = await open(browser, server.url, '/account');
  const found = {};
  for (const [index, path] of allPages().entries()) {
    await navigate(page, `/console${path}`);
    for (const viewport of index % 2 === 0 ? [phone, desktop] : [desktop, phone]) {
      await page.setViewportSize(viewport);
      await settled(page);
      const wide = await page.evaluate(tooWide);
      if (wide.length > 0) found[`${path} at ${viewport.width}`] = wide;
      await picture(page, `extremes${path.replace(/[^a-z]/g, '-')}-${viewport.width}`, { fullPage: true });
    }
  }
  assert.deepEqual(found, {});
  assert.deepEqual(trouble, []);
  await context.close();
});

test('amounts have the decimals of their currency', async () => {
  const { page, context } = await open(browser, server.url, '/products');
  await page.getByText('¥999,999,999').waitFor();
  await page.getByText('KWD\u00a0123,456.789').waitFor();
  await page.getByRole('button', { name: 'Change Price of Coin' }).click();
  await page.getByLabel('Price of Coin').fill('0.0005');
  await page.keyboard.press('Enter');
  await page.getByText('Enter an amount such as 1.250.').waitFor();
  await page.getByLabel('Price of Coin').fill('0,005');
  await page.keyboard.press('Enter');
  await page.getByText('KWD\u00a00.005').waitFor();
  await context.close();
});
