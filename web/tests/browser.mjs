// Debian's Chromium, pages that note everything that goes wrong in them, and accessibility checks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };

/** Saves a picture of the page, if SCREENSHOTS names a folder for them. */
export async function picture(page, name, options = {}) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), ...options });
}

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

/** Rules that axe leaves out by default: a control that people call by the text on it must have that text in its name. */
const experimentalRules = { 'label-content-name-mismatch': { enabled: true } };

/** The violations of all rules, or only of `rules`, except in the elements that the selector `except` finds. */
export async function violations(page, { rules = null, except = null } = {}) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  await page.evaluate(appeared);
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : { rules: experimentalRules }) };
  const context = except && (await page.locator(except).count()) > 0 ? { exclude: [[except]] } : {};
  const found = await page.evaluate(([where, how]) => globalThis.axe.run({ include: [['html']], ...where }, how), [context, options]);
  return found.violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' ')}`);
}

/** In the page: waits until nothing fades in any more, since half of a colour has half of its contrast. */
function appeared() {
  const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  return Promise.all(ending.map((each) => each.finished.catch(() => {}))).then(() => undefined);
}

/** The rules whose result depends on the colours. All others give the same result in both schemes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Checks the page that is shown: all rules in light colours, those about colours in dark ones, and that nothing scrolls
 * sideways. Pictures are called `<name>-light` and `<name>-dark`. Leaves the page light.
 */
export async function violationsInBothSchemes(page, name, { screenshot = {}, except = null, onlyColours = false } = {}) {
  const found = await violations(page, { except, rules: onlyColours ? colourRules : null });
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push('scrolls sideways');
  await picture(page, `${name}-light`, screenshot);
  await choose(page, 'dark');
  found.push(...(await violations(page, { rules: colourRules, except })).map((each) => `dark: ${each}`));
  await picture(page, `${name}-dark`, screenshot);
  await choose(page, 'light');
  return found;
}

/** Opens a path within the page's application, without loading it again. */
export function navigate(page, path) {
  return page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/**
 * Opens each path and checks it on a phone and on a desktop in both schemes. `name` begins the names of the pictures;
 * `except` returns a selector of the elements that are left out, for the number of a page. Returns the violations by path
 * and size.
 */
export async function sweep(page, paths, { name, open, except = () => null }) {
  const found = {};
  for (const [index, path] of paths.entries()) {
    await open(path);
    await page.locator('h1:visible, h2:visible').first().waitFor();
    const sizes = Object.entries({ phone, desktop });
    // Every second page begins with the size that the one before has ended with.
    for (const [size, viewport] of index % 2 === 0 ? sizes : sizes.reverse()) {
      await page.setViewportSize(viewport);
      await settled(page);
      const here = await violationsInBothSchemes(page, `${name}${path.replace(/[^a-zA-Z0-9]/g, '-')}-${size}`, { except: except(index) });
      if (here.length > 0) found[`${path} on a ${size}`] = here;
    }
  }
  return found;
}
