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
  assert.deepEqual(stored.kinds.map((kind) => kind.email), [true, false, false, false]);
  assert.equal(stored.locale, 'en');
  await alerts.scrollIntoViewIfNeeded();
  await picture(page, 'alerts-desktop', { fullPage: true });
  assert.deepEqual(trouble, []);
  await context.close();
});

// Headless Chromium has no push service, so the subscription is made up. Everything else is real.
const fakeSubscription = {
  endpoint: 'https://push.example.com/send/browser-1',
  keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
};

function fakePushManager(subscription) {
  const made = { ...subscription, options: {}, toJSON: () => subscription, unsubscribe: async () => sessionStorage.removeItem('subscribed') === undefined };
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('subscribed') ? made : null);
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    sessionStorage.setItem('subscribed', applicationServerKey.length);
    return made;
  };
}

test('a browser shows alerts once a person turns that on, and a click opens the order', async () => {
  const order = await admin('POST', '/api/data/order', { orderNumber: 'PUSH-1', customer: { name: 'Mia' }, items: [{ productId: 'p', name: 'Mug', sku: 'M', quantity: 1, unitPriceCents: 1500 }] });
  const { page, trouble, context } = await openConsole('/', { permissions: ['notifications'] });
  await page.addInitScript(fakePushManager, fakeSubscription);
  await page.goto(`${server.url}/console/account`);
  const alerts = page.locator('[data-alerts]');
  assert.ok(await alerts.getByRole('switch', { name: /Browser ?: A new order/ }).isDisabled());
  await alerts.getByRole('button', { name: 'Turn on' }).click();
  await alerts.getByRole('button', { name: 'Turn off' }).waitFor();
  for (const kind of ['A new order', 'A product is running low', 'A payment to check', 'A buyer waits for keys']) await alerts.getByRole('switch', { name: new RegExp(`Browser ?: ${kind}`), checked: true }).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('subscribed')), '65', 'the key of the server');
  await alerts.scrollIntoViewIfNeeded();
  await picture(page, 'alerts-push', { fullPage: true });

  const devtools = await context.newCDPSession(page);
  const registered = new Promise((resolve) => devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => registrations.length > 0 && resolve(registrations[0].registrationId)));
  await devtools.send('ServiceWorker.enable');
  const data = JSON.stringify({ title: 'New order PUSH-1: $15.00', body: 'Mia', url: `/console/orders/${order.id}?tenant=default`, tag: 'NEW_ORDER/1' });
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId: await registered, data });
  await page.waitForFunction(async () => {
    const [shown] = await (await navigator.serviceWorker.ready).getNotifications();
    return shown?.title === 'New order PUSH-1: $15.00' && shown.data.url.startsWith('/console/orders/');
  });
  await page.goto(`${server.url}/console/orders/${order.id}?tenant=default`);
  await page.getByRole('heading', { level: 1, name: 'Order PUSH-1' }).waitFor();

  await page.goto(`${server.url}/console/account`);
  await alerts.getByRole('button', { name: 'Turn off' }).click();
  await alerts.getByRole('button', { name: 'Turn on' }).waitFor();
  assert.deepEqual((await admin('GET', '/api/admin/alerts')).subscriptions, []);
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

// The last one, since the switch ends the session of the other tests.
test('a link to another shop opens that shop', async () => {
  const { session } = await admin('GET', '/auth/me');
  await admin('POST', '/api/data/tenant', { tenantId: 'second', name: 'Second shop', ownerUserId: session.user.userId });
  const { page, context } = await openConsole('/account?tenant=second');
  await page.getByText('Second shop').first().waitFor();
  await page.waitForURL(`${server.url}/console/account`);
  await context.close();
});
