// Alerts on the account page: which a person gets, and how.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, picture, phone } from './browser.mjs';
import { openConsole as open, sweepConsole } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin;

before(async () => {
  server = await startServer({ SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'shop@example.com' });
  admin = await signIn(server.url);
  const { session } = await admin('GET', '/auth/me');
  await admin('PATCH', `/api/data/user/${session.user.userId}`, { email: 'owner@example.com' });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const openConsole = (path, options) => open(browser, server.url, path, options);

test('a person chooses alerts by e-mail, and reads why others are not possible', async () => {
  const { page, trouble, context } = await openConsole('/account');
  const alerts = page.locator('[data-alerts]');
  const byMail = alerts.getByRole('switch', { name: /E-mail ?: A new order/ });
  await byMail.click({ force: true });
  await page.getByText('Saved').first().waitFor();
  await page.reload();
  await alerts.getByRole('switch', { name: /E-mail ?: A new order/, checked: true }).waitFor();
  await alerts.getByRole('switch', { name: /E-mail ?: A payment to check/, checked: false }).waitFor();
  assert.ok(await alerts.getByRole('switch', { name: /Direct message ?: A new order/ }).isDisabled());
  await alerts.getByText('sign in through the chat platform once').waitFor();
  const stored = await admin('GET', '/api/admin/alerts');
  assert.deepEqual(stored.kinds.map((kind) => kind.email), [true, false, false]);
  assert.equal(stored.locale, 'en');
  await alerts.scrollIntoViewIfNeeded();
  await picture(page, 'alerts-desktop', { fullPage: true });
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the alerts are accessible on a phone and a desktop, in English and German', async () => {
  const { page, context } = await openConsole('/account', { locale: 'de-DE', viewport: phone });
  await page.locator('[data-alerts]').getByText('Eine neue Bestellung').first().waitFor();
  await picture(page, 'alerts-phone-de', { fullPage: true });
  assert.deepEqual(await sweepConsole(page, ['/account'], 'alerts'), {});
  await context.close();
});
