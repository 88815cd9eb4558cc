// The reference and the guides as a person reads them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { desktop, launch, navigate, phone, picture, settled, sweep, violations, violationsInBothSchemes, watchedPage } from './browser.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser;

before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true' });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function openDocs(path, options = {}) {
  const watched = await watchedPage(browser, [server.url], { viewport: { ...desktop, height: 800 }, ...options });
  await watched.page.goto(`${server.url}/docs${path}`);
  await watched.page.waitForSelector('h1');
  await settled(watched.page);
  return watched;
}

/** The browser itself reports that a reader without a session has none. */
const serious = (trouble) => trouble.filter((text) => !text.includes('401 (Unauthorized)'));

const pages = ['', '/tags/Orders', '/api/createOrder', '/api/listOrders', '/api/signIn', '/types/Order', '/errors', '/guides/orders', '/guides/architecture', '/guides/adr', '/api/no-such-operation'];

test('every kind of page is accessible on a phone and a desktop, in light and dark colours', async () => {
  const { page, trouble, context } = await openDocs('', { colorScheme: 'light', reducedMotion: 'reduce' });
  const found = await sweep(page, pages, {
    name: 'docs',
    open: (path) => navigate(page, `/docs${path}`),
    except: (index) => (index > 0 ? 'nav[aria-label="Reference"]' : null),  // the menu is long and the same on all pages
  });
  assert.deepEqual(found, {});
  assert.deepEqual(serious(trouble), []);
  await context.close();
});

/** axe takes about a second for a guide, so the usual run gives it every fifth; GUILDHALL_LONG=1 gives it all. */
const checkedGuide = (index) => process.env.GUILDHALL_LONG === '1' || index % 5 === 0;

test('every guide leads to pages that exist, and is accessible', async () => {
  const { page, trouble, context } = await openDocs('', { reducedMotion: 'reduce' });
  const guides = await page.locator('nav a[href^="/docs/guides/"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.ok(guides.length > 20);
  const found = {};
  for (const [index, path] of guides.entries()) {
    await page.goto(server.url + path);
    await page.waitForSelector('.prose h1');
    const here = checkedGuide(index) ? await violations(page, { except: 'nav[aria-label="Reference"]' }) : [];
    const targets = await page.locator('.prose a[href^="/docs/guides/"]').evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
    here.push(...targets.filter((target) => !guides.includes(target)).map((target) => `leads to ${target}`));
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) here.push('scrolls sideways');
    if (here.length > 0) found[path] = here;
  }
  assert.deepEqual(found, {});
  assert.deepEqual(serious(trouble), []);
  await context.close();
});

test('search finds operations, errors and guides with the keyboard alone', async () => {
  const { page, trouble, context } = await openDocs('');
  for (const [query, address] of [['place an order', '/docs/api/createOrder'], ['OUT_OF_STOCK', '/docs/errors#OUT_OF_STOCK'], ['hash chain', '/docs/guides/']]) {
    await page.keyboard.press('Control+k');
    await page.waitForSelector('dialog[open] input:focus');
    await page.keyboard.type(query);
    await page.waitForSelector('[role="option"]');
    assert.deepEqual(await violations(page), []);
    await picture(page, 'docs-search');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname, hash }) => (pathname + hash).startsWith(address));
    await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  }
  assert.deepEqual(serious(trouble), []);
  await context.close();
});

test('the search lists operations before types', async () => {
  const { page, context } = await openDocs('');
  for (const query of ['order', 'Product', 'refund']) {
    await page.keyboard.press('Control+k');
    await page.waitForSelector('dialog[open] input:focus');
    await page.keyboard.type(query);
    await page.locator('[role="option"] .kind', { hasText: 'Type' }).first().waitFor();
    const kinds = await page.locator('[role="option"] .kind').allTextContents();
    const lastOperation = kinds.findLastIndex((kind) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(kind));
    assert.ok(lastOperation >= 0, query);
    assert.ok(kinds.indexOf('Type') > lastOperation, `${query}: ${kinds}`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  }
  await context.close();
});

test('the menu of a phone opens, leads to a page and closes', async () => {
  const { page, context } = await openDocs('', { viewport: phone });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByText('Products', { exact: true }).first().click();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'docs-menu-phone');
  await page.getByRole('link', { name: 'Create a product' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/docs/api/createProduct');
  await page.getByRole('navigation', { name: 'Reference' }).waitFor({ state: 'hidden' });
  await page.waitForSelector('h1:focus');
  await context.close();
});

test('a request can be tried with the own session', async () => {
  const { page, trouble, context } = await openDocs('/api/createProduct', { viewport: { ...desktop, height: 520 } });
  await page.getByText('You are not signed in.').waitFor();
  const reply = await context.request.post(`${server.url}/auth/local/login`, {
    data: { username: 'admin', password: 'correct horse', tenantId: 'default' },
  });
  assert.equal(reply.status(), 200);
  await page.reload();
  await page.getByText('You are signed in to the tenant').waitFor();
  await page.getByRole('button', { name: 'Send POST request' }).click();
  await page.locator('.answer .status').waitFor();
  assert.equal(await page.locator('.answer .status').textContent(), '201');
  await page.locator('.answer .status').evaluate((status) => new Promise((seen) => {
    new IntersectionObserver(([entry]) => entry.isIntersecting && seen()).observe(status);
  }));
  assert.deepEqual(await violations(page), []);
  await picture(page, 'docs-try-it');
  const admin = await signIn(server.url);
  assert.equal((await admin('GET', '/api/data/product')).items[0].name, 'Guild mug');
  assert.deepEqual(serious(trouble), []);
  await context.close();
});

test('the examples are shown for curl and for TypeScript', async () => {
  const { page, context } = await openDocs('/api/listOrders');
  await page.getByRole('tab', { name: 'curl' }).focus();
  assert.match(await page.getByRole('tabpanel').textContent(), /^curl 'http/);
  await page.keyboard.press('ArrowRight');
  assert.match(await page.getByRole('tabpanel').textContent(), /client\.each\("\/api\/data\/order"\)/);
  await context.close();
});

test('unknown pages have a page of their own, which uses no script', async () => {
  const { page, context } = await watchedPage(browser, [server.url], { viewport: phone, javaScriptEnabled: false });
  const reply = await page.goto(`${server.url}/no/such/page`);
  assert.equal(reply.status(), 404);
  assert.match(reply.headers()['content-security-policy'], /^default-src 'none'; style-src 'sha256-/);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await picture(page, 'not-found-phone');
  await context.close();
  const { page: seen, context: other } = await watchedPage(browser, [server.url], { viewport: desktop, colorScheme: 'light' });
  await seen.goto(`${server.url}/no/such/page`);
  assert.deepEqual(await violationsInBothSchemes(seen, 'not-found-desktop'), []);
  await other.close();
});

test('the reference answers with a strict policy and names no other origin', async () => {
  const page = await fetch(`${server.url}/docs`);
  assert.doesNotMatch(page.headers.get('content-security-policy'), /unsafe|http/);
  assert.doesNotMatch(await page.text(), /https?:/);
  assert.equal((await fetch(`${server.url}/docs/licences.txt`)).status, 200);
});
