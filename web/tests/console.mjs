// The console in a browser, signed in.
import { desktop, navigate, settled, sweep, watchedPage } from './browser.mjs';

const admin = { username: 'admin', password: 'correct horse' };
const sessions = new Map();

/** The cookie of a session. Each user of a server signs in once, since checking a password takes long by intention. */
export async function cookieOf(url, { username, password } = admin) {
  const key = `${url} ${username}`;
  if (!sessions.has(key)) {
    const reply = await fetch(`${url}/auth/local/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, tenantId: 'default' }),
    });
    if (!reply.ok) throw new Error(`${username} cannot sign in: ${reply.status}`);
    const [name, ...value] = reply.headers.get('set-cookie').split(';')[0].split('=');
    sessions.set(key, { name, value: value.join('='), url });
  }
  return sessions.get(key);
}

/** Opens a page of the console and waits until it shows everything. */
export async function openConsole(browser, url, path = '/', options = {}, user = admin) {
  const watched = await watchedPage(browser, [url], { viewport: desktop, reducedMotion: 'reduce', ...options });
  await watched.context.addCookies([await cookieOf(url, user)]);
  await watched.page.goto(`${url}/console${path}`);
  await watched.page.waitForSelector('header');
  await settled(watched.page);
  return watched;
}

/** Fills in the form of the sign-in page or dialog. */
export async function signInByForm(page, { username, password } = admin) {
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Checks pages of the console on a phone and on a desktop in both schemes. The application is not loaded again. */
export const sweepConsole = (page, paths, name) => sweep(page, paths, { name, open: (path) => navigate(page, `/console${path}`) });
