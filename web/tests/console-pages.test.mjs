// The console's pages for connections, settings and the platform, as a person uses them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, picture } from './browser.mjs';
import { openConsole as open, signInByForm, sweepConsole } from './console.mjs';
import { startSandboxedServer } from './sandbox.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin, sandbox;

before(async () => {
  let environment;
  ({ server, sandbox, environment } = await startSandboxedServer({
    uses: (name) => name === 'WALLET_BASE_URL' || (name.startsWith('CHAT_') && !name.startsWith('CHAT_OAUTH_')),
    variables: { WEBHOOK_PRIVATE_TARGETS: 'false' },
  }));
  // The sandbox begins with the bot's commands; a new application has none.
  await fetch(`${sandbox.url}/chat/applications/${environment.CHAT_APPLICATION_ID}/commands`, {
    method: 'PUT',
    headers: { authorization: `Bot ${environment.CHAT_BOT_TOKEN}`, 'content-type': 'application/json' },
    body: '[]',
  });
  admin = await signIn(server.url);
  await admin('POST', '/api/data/product', { name: 'Guild mug', sku: 'MUG-1', priceCents: 1500, isDigital: true });
  await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'CASH', enabled: true, settings: { instructions: 'Pay at the bar.' } }] });
  for (const [number, status] of [['S-1', 'PAID'], ['S-2', 'COMPLETE'], ['S-3', 'PENDING_PAYMENT']]) {
    await admin('POST', '/api/data/order', { orderNumber: number, status, customer: { name: 'Mia' }, items: [{ productId: 'p', name: 'Guild mug', sku: 'MUG-1', quantity: 2, unitPriceCents: 1500 }] });
  }
  const customer = await admin('POST', '/api/data/customer', { chatId: '42', chatUsername: 'mia', chatDisplayName: 'Mia Larsson' });
  await admin('PUT', '/api/admin/community-fund/config', { enabled: true, publicViewEnabled: true });
  await admin('POST', '/api/admin/community-fund/contributions', { customerId: customer.id, amountCents: 2500 });
  await admin('POST', '/api/admin/community-fund/contributions', { customerId: customer.id, amountCents: 4000, anonymous: true });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await sandbox?.stop();
});

const openConsole = (path, options, user, url = server.url) => open(browser, url, path, options, user);

const pages = ['/', '/?days=7', '/welcome?step=trial', '/chat', '/settings', '/account', '/fund', '/fund?tab=public', '/fund?tab=settings', '/audit', '/webhooks',
  '/tokens', '/outbox', '/outbox?tab=incoming', '/payment-methods', '/platform', '/platform?tab=health', '/setup#token'];

test('connections, settings and the platform are accessible on a phone and a desktop, in light and dark colours', async () => {
  const { page, trouble, context } = await openConsole('/', { colorScheme: 'light' });
  assert.deepEqual(await sweepConsole(page, pages, 'pages'), {});
  assert.deepEqual(trouble.filter((text) => !text.includes('404')), []);
  await context.close();
});

test('the chat page tests the connection, registers the commands and tries out the bot', async () => {
  const { page, context } = await openConsole('/chat');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText(/These commands are not registered: .*\/shop/).waitFor();
  await page.getByRole('button', { name: 'Register commands' }).click();
  await page.getByText('Commands registered.').first().waitFor();
  assert.ok((await sandbox.read('/sandbox/state')).guild.commands.some((command) => command.name === 'shop'));
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('All commands are registered.').waitFor();
  await page.getByText('It works').first().waitFor();

  const chat = page.getByRole('log');
  await page.getByRole('button', { name: '/shop' }).click();
  await chat.getByRole('textbox').last().click();
  await page.getByRole('option', { name: /Guild mug/ }).click();
  await chat.getByRole('button', { name: 'Buy' }).click();
  await chat.getByRole('button', { name: 'Submit' }).click();
  await chat.getByText('Your order').waitFor();
  await chat.getByRole('textbox').last().click();
  await page.getByRole('option', { name: /cash/i }).click();
  await chat.getByText('Pay at the bar.').waitFor();
  await picture(page, 'chat-trial');
  const { items } = await admin('GET', '/api/data/order?limit=1');
  assert.equal(items[0].totalCents, 1500);
  await page.getByRole('table', { name: 'Recent interactions' }).getByText('/shop').first().waitFor();
  await page.getByRole('button', { name: '/orders' }).click();
  await chat.getByText(/\$15\.00 · .*20\d\d/).waitFor();  // a time as people read it
  await context.close();
});

test('a shop that is not verified says so on its chat page', async (t) => {
  const unverified = await startServer({ SERVICE_ENV: 'development', RATE_LIMIT_DISABLED: 'true' });
  t.after(() => unverified.stop());
  const { page, context } = await openConsole('/chat', {}, undefined, unverified.url);
  await page.getByText('Interactions are not being verified').waitFor();
  await context.close();
});

test('a payment method is tested without showing its secret', async () => {
  await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'WALLET', settings: { webhookId: 'hook' }, credentials: { clientId: 'id', clientSecret: 'a-wrong-secret' } }] });
  const { page, context } = await openConsole('/payment-methods');
  await page.getByRole('button', { name: /^PayPal/ }).click();
  const wallet = page.getByRole('region', { name: /^PayPal/ });
  await wallet.getByRole('button', { name: 'Test connection' }).click();
  await wallet.getByText('The processor refuses the credentials (status 401).').waitFor();
  assert.equal(await page.getByText('a-wrong-secret').count(), 0);
  await context.close();
});

test('home compares the sales with the period before, as a chart and as a table', async () => {
  const { page, context } = await openConsole('/');
  await page.getByText('$60.00').first().waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('table', { name: 'Sales as a table' }).getByText('$60.00').waitFor();
  await page.locator('label', { hasText: '7 days' }).click();
  await page.waitForURL(/days=7/);
  await context.close();
});

test('settings change the name and the colour that buyers see', async () => {
  const { page, context } = await openConsole('/settings');
  await page.getByRole('textbox', { name: 'Shop name' }).fill('The Mug Guild');
  await page.getByRole('textbox', { name: 'Accent colour' }).fill('#0b7285');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('header').getByText('The Mug Guild').waitFor();
  const branding = await admin('GET', '/api/admin/branding');
  assert.equal(branding.accentColor, '#0b7285');
  await page.getByRole('switch', { name: /Require a second factor/ }).click({ force: true });
  await page.getByText('Set up your own second factor before you require one from others.').waitFor();
  await context.close();
});

test('currency and time zone of the shop are those of new products, dates and reports', async (t) => {
  t.after(() => admin('PUT', '/api/admin/settings', { currency: null, timeZone: null }));
  const { page, context } = await openConsole('/settings', { timezoneId: 'Europe/Stockholm' });
  const choose = async (label, text, option) => {
    await page.getByRole('textbox', { name: label }).fill(text);
    await page.getByRole('option', { name: option }).click();
  };
  await choose('Currency', 'yen', /^JPY/);
  await choose('Time zone', 'kirit', 'Pacific/Kiritimati');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const settings = await admin('GET', '/api/admin/settings');
  assert.deepEqual([settings.currency, settings.timeZone], ['JPY', 'Pacific/Kiritimati']);

  await page.goto(`${server.url}/console/products/new`);
  assert.match(await page.getByRole('textbox', { name: 'Currency' }).inputValue(), /^JPY/);
  const report = page.waitForRequest((request) => request.url().includes('/reports/sales'));
  await page.goto(`${server.url}/console/`);
  assert.equal(new URL((await report).url()).searchParams.get('timeZone'), 'Pacific/Kiritimati');
  await page.locator('time').first().focus();
  await page.getByText(/\(Pacific\/Kiritimati\)/).waitFor();
  await context.close();
});

test('a token is made, works with its rights only, and is revoked', async () => {
  const { page, context } = await openConsole('/account');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Export');
  const version = (await fetch(`${server.url}/openapi.json`)).headers.get('guildhall-version');
  await dialog.getByLabel('API version').fill('2001-01-01');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('must be a version that is supported').waitFor();
  await dialog.getByLabel('API version').fill(version);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByRole('dialog', { name: 'Your token' }).locator('code').textContent();
  const call = (path) => fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } }).then((reply) => reply.status);
  assert.equal(await call('/api/data/order'), 200);
  assert.equal(await call('/api/admin/audit'), 403);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`API version ${version}`).waitFor();
  await page.getByRole('button', { name: 'Revoke the token Export' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('You have no tokens.').waitFor();
  assert.equal(await call('/api/data/order'), 401);
  await context.close();
});

test('a session that is about to end says so, and signing in again keeps the draft', async (t) => {
  const short = await startServer({ RATE_LIMIT_DISABLED: 'true', SESSION_TTL_SECONDS: '120' });
  t.after(() => short.stop());
  const { page, context } = await openConsole('/products/new', {}, undefined, short.url);
  await page.getByText(/Your session ends at/).waitFor();
  await page.getByLabel('Name').first().fill('A draft worth keeping');
  const before = await context.cookies();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  const dialog = page.getByRole('dialog');
  await signInByForm(dialog);
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Name').first().inputValue(), 'A draft worth keeping');
  assert.notEqual((await context.cookies())[0].value, before[0].value, 'a new session');
  await context.close();
});

test('an endpoint is offered every event that the server knows', async () => {
  const { page, context } = await openConsole('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://example.com/hook');
  await dialog.getByRole('textbox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'entitlement.granted' }).click();
  await page.keyboard.press('Escape');
  const { events } = await admin('GET', '/api/admin/webhook-event-names');
  assert.ok(events.includes('entitlement.revoked') && events.includes('order.paid'));
  if (await dialog.count() === 0) throw new Error('the dialog closed');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('This is the signing secret.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByText('This is the signing secret.').waitFor();  // nothing but its button closes it
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { level: 1, name: 'https://example.com/hook' }).waitFor();
  const { items } = await admin('GET', '/api/admin/webhook-endpoints');
  assert.deepEqual(items[0].events, ['entitlement.granted']);
  await context.close();
});

test('an endpoint gets a test and a repetition, both are logged, and it is removed', async (t) => {
  const answers = [500, 200];
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(answers.shift() ?? 200).end())).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => receiver.close());
  const open = await startServer({ SERVICE_ENV: 'development', RATE_LIMIT_DISABLED: 'true', WEBHOOK_PRIVATE_TARGETS: 'true' });
  t.after(() => open.stop());
  const host = `127.0.0.1:${receiver.address().port}`;
  const { id } = await (await signIn(open.url))('POST', '/api/admin/webhook-endpoints', { url: `http://${host}/hook`, events: [] });
  const { page, context } = await openConsole(`/webhooks/${id}`, {}, undefined, open.url);
  const log = page.getByRole('table', { name: 'Deliveries' });
  await page.getByRole('button', { name: 'Send test' }).click();
  await log.getByRole('row', { name: /webhook\.test.*Failed.*500/ }).waitFor();
  await log.getByRole('button', { name: 'Send again' }).click();
  await log.getByRole('row', { name: /webhook\.test.*200/ }).waitFor();
  await page.getByRole('button', { name: 'Remove endpoint' }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Remove endpoint' });
  assert.ok(await remove.isDisabled());
  await dialog.getByLabel(`Type ${host} to confirm`).fill(host);
  await remove.click();
  await page.getByText('No endpoints yet').waitFor();
  await context.close();
});

test('the audit trail shows differences and is verified to its end', async () => {
  const { items: [order] } = await admin('GET', '/api/data/order?limit=1&search=S-3');
  await admin('PATCH', `/api/data/order/${order.id}`, { taxAmountCents: 123 });
  const amounts = await openConsole('/audit?subject=order');
  await amounts.page.getByText('Tax: $0.00 → $1.23').first().waitFor();
  await amounts.context.close();
  const { page, context } = await openConsole('/audit?subject=product');
  await page.getByText('created').first().waitFor();
  await page.getByRole('link', { name: 'Guild mug' }).first().waitFor();
  await page.getByText('you').first().waitFor();
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await page.getByText(/The chain is intact/).waitFor();
  await context.close();
});

test('the ledger of the fund is verified, and its public page is shown', async () => {
  const { page, context } = await openConsole('/fund');
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await page.getByText('The ledger is correct: 2 entries add up to the balance.').waitFor();
  await page.getByRole('tab', { name: 'Public page' }).click();
  await page.getByText('$65.00 contributed, $0.00 paid out').waitFor();
  await context.close();
});

test('a payout from the fund says beside each field what is missing, and is paid once', async () => {
  const { page, context } = await openConsole('/fund');
  await page.getByRole('button', { name: 'Pay out' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Amount in USD/).click();  // no list of customers covers it
  await dialog.getByRole('button', { name: 'Pay out' }).click();
  await dialog.getByText('Choose a customer.').waitFor();
  await dialog.getByRole('textbox', { name: 'Customer' }).fill('Mia');
  await page.getByRole('option', { name: /Mia Larsson/ }).click();
  await dialog.getByLabel(/Amount in USD/).fill('5');
  const pay = dialog.getByRole('button', { name: 'Pay out $5.00' });
  await pay.click();
  await dialog.getByText('is required').waitFor();
  assert.equal(await dialog.getByLabel('Reason').getAttribute('aria-invalid'), 'true');
  await dialog.getByLabel('Reason').fill('Train ticket');
  await pay.dblclick();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('$60.00').first().waitFor();
  assert.equal((await admin('GET', '/api/admin/community-fund/balance')).totalDisbursedCents, 500);
  await context.close();
});

test('only those who run the platform see its page', async () => {
  const { page, context } = await openConsole('/platform');
  await page.getByRole('button', { name: 'Add shop' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Second shop');
  await page.getByRole('dialog').getByRole('textbox', { name: 'ID' }).fill('second');
  await page.getByRole('dialog').getByRole('button', { name: 'Add shop' }).click();
  await page.getByRole('table', { name: 'All shops' }).getByText('Second shop').waitFor();
  await page.getByRole('tab', { name: 'Health' }).click();
  await page.getByRole('table', { name: 'Nodes' }).getByText('Running').waitFor();
  await page.getByText('No backups yet').waitFor();
  await page.getByRole('button', { name: 'Also check other servers' }).click();
  await page.getByRole('button', { name: /^Checks passed/ }).click();
  await page.getByText('chat platform: it answers').waitFor();
  await context.close();
  const user = await admin('POST', '/api/data/user', { username: 'tenant-admin', displayName: 'Tenant admin' });
  await admin('PUT', `/api/data/user/${user.id}/password`, { password: 'a good password' });
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantAdmin'] });
  const other = await openConsole('/chat', {}, { username: 'tenant-admin', password: 'a good password' });
  assert.equal(await other.page.getByRole('link', { name: 'Platform' }).count(), 0);
  const register = other.page.getByRole('button', { name: 'Register commands' });
  assert.equal(await register.getAttribute('aria-disabled'), 'true');
  await register.hover();
  await other.page.getByText(/only platform administrators/).waitFor();
  await other.context.close();
});

test('somebody who works in two shops switches between them; somebody without rights is told so', async () => {
  const { items: [me] } = await admin('GET', '/api/data/user?search=admin');
  await admin('POST', '/api/data/tenant', { tenantId: 'annex', name: 'The annex', ownerUserId: me.id });
  const user = await admin('POST', '/api/data/user', { username: 'commuter', displayName: 'Cora Commuter' });
  await admin('PUT', `/api/data/user/${user.id}/password`, { password: 'a good password' });
  const commuter = { username: 'commuter', password: 'a good password' };
  const powerless = await openConsole('/', {}, commuter);
  await powerless.page.getByText('You do not have any permissions in this shop yet').waitFor();
  assert.equal(await powerless.page.getByRole('textbox', { name: 'Switch shop' }).count(), 0);
  await powerless.context.close();
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantStaff'] });
  await (await signIn(server.url, 'annex'))('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantAdmin'] });
  const { page, trouble, context } = await openConsole('/orders', {}, commuter);
  await page.getByRole('textbox', { name: 'Switch shop' }).click();
  await page.getByRole('option', { name: 'The annex' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Switch shop' }).inputValue(), 'The annex');
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByText('No payments yet').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('no page shows the key of a permission', async () => {
  const user = await admin('POST', '/api/data/user', { username: 'reader', displayName: 'Reader' });
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantStaff', 'data.read', 'treasurer'] });
  await admin('POST', '/api/admin/invitations', { name: 'Ada', keys: ['data.write'] });
  await admin('POST', '/api/admin/tokens', { name: 'Sync', keys: ['admin.access'] });
  await admin('PUT', '/api/admin/community-fund/config', { disbursementApprovalRoles: ['TenantAdmin', 'treasurer'] });
  const { page, context } = await openConsole('/account');
  for (const [path, text] of [['/account', 'Manage the shop'], ['/tokens', 'Manage the shop'], ['/people', 'View shop data'], [`/people/${user.id}`, 'treasurer'], ['/fund?tab=settings', 'treasurer'], ['/audit?subject=grants', 'View shop data']]) {
    await page.goto(`${server.url}/console${path}`);
    await page.locator('main').getByText(text).first().waitFor();
    assert.doesNotMatch(await page.locator('body').innerText(), /data\.(read|write)|admin\.access|Tenant(Admin|Staff)|PlatformAdmin/, path);
  }
  await page.goto(`${server.url}/console/tokens`);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('checkbox', { name: 'View shop data' }).waitFor();
  assert.doesNotMatch(await page.getByRole('dialog').innerText(), /data\.|admin\.access|Tenant|PlatformAdmin/);
  await context.close();
});

test('a page that staff may not use says which right it needs, and asks the server nothing', async () => {
  const user = await admin('POST', '/api/data/user', { username: 'helper', displayName: 'Helper' });
  await admin('PUT', `/api/data/user/${user.id}/password`, { password: 'a good password' });
  await admin('PUT', `/api/admin/grants/${user.id}`, { keys: ['TenantStaff'] });
  const { page, trouble, context } = await openConsole('/orders', {}, { username: 'helper', password: 'a good password' });
  for (const path of ['/settings', '/chat', '/platform', '/welcome', '/audit']) {
    await page.goto(`${server.url}/console${path}`);
    await page.getByText(/This page requires the permission/).waitFor();
  }
  assert.deepEqual(trouble, []);
  await context.close();
});
