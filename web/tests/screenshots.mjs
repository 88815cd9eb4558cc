// Takes the pictures of docs/images: the console's main pages with the demo shop. `script/screenshots` calls it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktop, launch, phone, watchedPage } from './browser.mjs';
import { signIn, startServer } from './server.mjs';

const folder = process.env.IMAGES;
const server = await startServer({ SERVICE_ENV: 'development', LOG_LEVEL: 'error' }, { withDemo: true });
const api = await signIn(server.url);
const browser = await launch();

/** The first order of a list; the pages of single records show it. */
const orderOf = async (query) => (await api('GET', `/api/data/order?limit=1&${query}`)).items[0];
const discount = (await api('GET', '/api/data/discount?limit=50')).items.find((each) => each.code === 'WELCOME10');
const order = (await orderOf(`status=SHIPPED&discountId=${discount.id}`)) ?? (await orderOf('status=SHIPPED'));
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
  { name: 'console-phone-home', path: '/', viewport: phone },
  { name: 'console-phone', path: '/orders', viewport: phone, colorScheme: 'dark' },
  ...(process.env.ALL_PAGES ?? '').split(',').filter(Boolean).flatMap((path) => [
    { name: `extra${path.replace(/[^a-z]/g, '-')}`, path },
    { name: `extra${path.replace(/[^a-z]/g, '-')}-phone`, path, viewport: phone },
  ]),
];
const wanted = process.argv.slice(2);

async function openPage({ colorScheme = 'light', viewport = desktop }) {
  const { page, trouble, context } = await watchedPage(browser, [server.url], {
    viewport, colorScheme, reducedMotion: 'reduce', deviceScaleFactor: viewport === phone ? 2 : 1.5, timezoneId: 'UTC',
  });
  await page.goto(`${server.url}/console`);
  await page.getByLabel('Username').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForSelector('header');
  trouble.length = 0; // the browser itself reports the 401 before the sign-in
  return { page, trouble, context };
}

async function take(page, { name, path }) {
  await page.goto(`${server.url}/console${path}`);
  await page.waitForSelector('header');
  await page.waitForTimeout(400);
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'));
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  await page.waitForTimeout(400); // charts draw themselves after the last reply
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}

let failed = false;
try {
  for (const picture of pictures) {
    if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
    const { page, trouble, context } = await openPage(picture);
    await take(page, picture);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    if (overflow) trouble.push('scrolls sideways');
    console.log(picture.name, trouble.join(' | '));
    failed ||= trouble.length > 0;
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
process.exitCode = failed ? 1 : 0;
