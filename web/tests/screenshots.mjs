// Takes the pictures of docs/images: the console's main pages with the demo shop. `script/screenshots` calls it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktop, launch, phone } from './browser.mjs';
import { openConsole } from './console.mjs';
import { startSandboxedServer } from './sandbox.mjs';
import { signIn } from './server.mjs';

const folder = process.env.IMAGES;
// With the sandbox, so that roles have names and connections work.
const { server, sandbox } = await startSandboxedServer({ variables: { SERVICE_ENV: 'development' }, withDemo: true });
const api = await signIn(server.url);
const browser = await launch();

/** The first order of a list; the pages of single records show it. */
const orderOf = async (query) => (await api('GET', `/api/data/order?limit=1&${query}`)).items[0];
const discount = (await api('GET', '/api/data/discount?limit=50')).items.find((each) => each.code === 'WELCOME10');
const order = (await orderOf(`status=SHIPPED&discountId=${discount.id}`)) ?? (await orderOf('status=SHIPPED'));
/** Sells memberships, if the demo shop has none. The members get no roles, since the sandbox does not know them all. */
async function sellMemberships() {
  if ((await api('GET', '/api/admin/memberships?limit=1')).items.length > 0) return;
  const plan = (await api('GET', '/api/data/product?limit=50')).items.find((each) => each.name === 'Keeper membership');
  await api('PATCH', `/api/data/product/${plan.id}`, { grantedRoleIds: [], membership: { periodMonths: 1, graceDays: 3 } });
  const customers = (await api('GET', '/api/data/customer?limit=8')).items;
  for (const [index, { id, chatId, chatDisplayName }] of customers.entries()) {
    await api('POST', '/api/data/order', { orderNumber: `KEEPER-${index + 1}`, status: 'PAID', customerId: id, customer: { name: chatDisplayName, chatId }, items: [{ productId: plan.id, quantity: 1 }] });
  }
  const members = (await api('GET', '/api/admin/memberships?limit=8')).items;
  await api('POST', `/api/admin/memberships/${members[1].id}/pause`, {});
  await api('POST', `/api/admin/memberships/${members[3].id}/cancel`, {});
}

const product = (await api('GET', '/api/data/product?limit=1&sku=LAMP-1')).items[0];

// The name of the picture, the page, and how it is shown.
const pictures = [
  { name: 'console-home', path: '/' },
  { name: 'console-home-dark', path: '/', colorScheme: 'dark' },
  { name: 'console-orders', path: '/orders' },
  { name: 'console-order', path: `/orders/${order.id}` },
  { name: 'console-products', path: '/products' },
  { name: 'console-product', path: `/products/${product.id}` },
  { name: 'console-customer', path: `/customers/${order.customerId}` },
  { name: 'console-payments', path: '/payments' },
  { name: 'console-fund', path: '/fund' },
  { name: 'console-reports', path: '/reports' },
  { name: 'console-reports-dark', path: '/reports', colorScheme: 'dark' },
  { name: 'console-shipments', path: '/shipments' },
  { name: 'console-audit', path: '/audit' },
  { name: 'console-messages', path: '/messages' },
  { name: 'console-phone-home', path: '/', viewport: phone },
  { name: 'console-phone', path: '/orders', viewport: phone, colorScheme: 'dark' },
  ...(process.env.ALL_PAGES ?? '').split(',').filter(Boolean).flatMap((path) => [
    { name: `extra${path.replace(/[^a-z]/g, '-')}`, path },
    { name: `extra${path.replace(/[^a-z]/g, '-')}-phone`, path, viewport: phone },
  ]),
  { name: 'console-memberships', path: '/memberships', prepare: sellMemberships },  // last: its orders are in no other picture
];
const wanted = process.argv.slice(2);

/** Takes a picture and returns what went wrong on the page. */
async function take({ name, path, colorScheme = 'light', viewport = desktop, prepare = async () => {} }) {
  await prepare();
  const { page, trouble, context } = await openConsole(browser, server.url, path, { viewport, colorScheme, deviceScaleFactor: viewport === phone ? 2 : 1.5, timezoneId: 'UTC' });
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  await page.waitForTimeout(400); // charts draw themselves after the last reply
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) trouble.push('scrolls sideways');
  await context.close();
  return trouble;
}

let failed = false;
try {
  for (const picture of pictures) {
    if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
    const trouble = await take(picture);
    console.log(picture.name, trouble.join(' | '));
    failed ||= trouble.length > 0;
  }
} finally {
  await browser.close();
  await server.stop();
  await sandbox.stop();
}
process.exitCode = failed ? 1 : 0;
