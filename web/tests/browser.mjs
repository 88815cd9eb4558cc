// Debian's Chromium, pages that note everything that goes wrong in them, and accessibility checks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };
export const shot = (name) => ({ path: join(process.env.SCREENSHOTS, `${name}.png`) });

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A page that notes errors of its own and requests to any other origin. */
export async function watchedPage(browser, origins, options) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const trouble = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!origins.includes(origin) && protocol !== 'data:') trouble.push(`request to ${request.url()}`);
  });
  followRequests(page);
  return { page, trouble, context };
}

const requestsOf = new WeakMap();

/** Notes which requests of a page are under way. The stream of changes never ends, so it does not count. */
function followRequests(page) {
  const open = new Set();
  requestsOf.set(page, open);
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    if (!request.url().includes('/api/admin/changes')) open.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => open.delete(request));
}

/** Waits until the page shows everything: no request is under way, and two frames and an idle moment later there is still none. */
export async function settled(page) {
  const open = requestsOf.get(page);
  for (let quiet = 0; quiet < 2; ) {
    const loading = await painted(page);
    quiet = loading || open.size > 0 ? 0 : quiet + 1;
  }
}

/** Waits for two frames and an idle moment. Returns whether something on the page says that it is loading. */
function painted(page) {
  return page.evaluate(() => new Promise((resolve) => {
    const look = () => resolve(document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') !== null);
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(look, { timeout: 1000 })));
  }));
}

/** Chooses light or dark colours and waits until the page has them. */
async function choose(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  const other = colorScheme === 'dark' ? 'light' : 'dark';
  await page.waitForSelector(`html:not([data-mantine-color-scheme="${other}"])`, { state: 'attached' });
  await painted(page);
}

/** The violations of all rules, or only of `rules`, except in the elements that the selector `except` finds. */
export async function violations(page, { rules = null, except = null } = {}) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  const context = except && (await page.locator(except).count()) > 0 ? { exclude: [[except]] } : {};
  const found = await page.evaluate(([where, how]) => globalThis.axe.run({ include: [['html']], ...where }, how), [context, options]);
  return found.violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' ')}`);
}

/** The rules whose result depends on the colours. All others give the same result in both schemes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Checks the page that is shown: all rules in light colours, those about colours in dark ones, and that nothing scrolls
 * sideways. Saves a screenshot of each as `<name>-light` and `<name>-dark`, and leaves the page light.
 */
export async function violationsInBothSchemes(page, name, { screenshot = shot, except = null, onlyColours = false } = {}) {
  const found = await violations(page, { except, rules: onlyColours ? colourRules : null });
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push('scrolls sideways');
  await page.screenshot(screenshot(`${name}-light`));
  await choose(page, 'dark');
  found.push(...(await violations(page, { rules: colourRules, except })).map((each) => `dark: ${each}`));
  await page.screenshot(screenshot(`${name}-dark`));
  await choose(page, 'light');
  return found;
}
