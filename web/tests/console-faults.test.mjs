// What the console does when something goes wrong: the server fails, a page becomes old, two people edit the same record. On
// both pairs of engines.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch, navigate, settled } from './browser.mjs';
import { openConsole } from './console.mjs';
import { pairs, signIn, startServer } from './server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const pages = ['/', '/orders', '/products', '/discounts', '/customers', '/memberships', '/memberships?tab=codes', '/memberships?tab=report', '/memberships/unknown', '/payments',
  '/payment-methods', '/fund', '/reports', '/chat', '/messages', '/messages?tab=log', '/entitlements', '/shipments', '/webhooks', '/tokens', '/outbox', '/people', '/audit', '/settings', '/platform'];

function deferred() {
  let resolve;
  return { promise: new Promise((done) => { resolve = done; }), resolve };
}

for (const pair of pairs) {
  describe(`with ${pair}`, () => {
    let server, admin, ids;

    before(async () => {
      server = await startServer({ RATE_LIMIT_DISABLED: 'true' }, { pair });
      admin = await signIn(server.url);
      const made = async (path, body) => (await admin('POST', path, body)).id;
      ids = {
        products: await made('/api/data/product', { name: 'Guild mug', sku: 'MUG-1', priceCents: 1500 }),
        discounts: await made('/api/data/discount', { code: 'TEN', type: 'PERCENT', percent: 10 }),
        customers: await made('/api/data/customer', { chatId: '42', chatUsername: 'mia', chatDisplayName: 'Mia Larsson' }),
        orders: await made('/api/data/order', { orderNumber: 'F-1', customer: { name: 'Mia' }, items: [{ productId: 'p', name: 'Guild mug', sku: 'MUG-1', quantity: 1, unitPriceCents: 1500 }] }),
        people: await made('/api/data/user', { username: 'ada', displayName: 'Ada' }),
        webhooks: await made('/api/admin/webhook-endpoints', { url: 'https://example.com/hook', events: ['order.paid'] }),
      };
      await admin('POST', '/api/admin/roles', { name: 'packer', keys: ['data.read'] });
      await admin('PUT', '/api/admin/community-fund/config', { enabled: true });
      await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'CASH', enabled: true }] });
    });

    after(() => server?.stop());

    // The browser itself gives these answers: they are the same on the other pair.
    test('a server that fails leaves no page blank: each shows its sentence, the request id and a way to try again', { skip: pair !== pairs[0] }, async () => {
      const { page, context } = await openConsole(browser, server.url, '/account');
      const sentence = 'The database is tired.';
      const failure = { status: 500, contentType: 'application/json', headers: { 'x-request-id': 'request-1' }, body: JSON.stringify({ error: sentence, code: 'INTERNAL_ERROR' }) };
      await page.route(/\/api\/(?!admin\/changes)/, (route) => route.fulfill(failure));
      for (const path of [...pages, ...Object.entries(ids).map(([section, id]) => `/${section}/${id}`)]) {
        await navigate(page, `/console${path}`);
        const notice = page.getByRole('alert').filter({ hasText: sentence }).filter({ hasText: 'request-1' }).first();
        await notice.getByRole('button', { name: 'Try again' }).waitFor().catch(() => assert.fail(`${path} does not say what happened`));
        await page.locator('h1').first().waitFor();
      }
      await page.unroute(/\/api\/(?!admin\/changes)/);
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText(sentence).first().waitFor({ state: 'detached' });
      await context.close();
    });

    test('a page that cannot be read again says that it may be old, and catches up by itself when it can', async () => {
      const { page, context } = await openConsole(browser, server.url, `/orders/${ids.orders}`);
      const order = /\/api\/data\/order/;
      await page.route(order, (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }));
      await admin('PATCH', `/api/data/order/${ids.orders}`, { notes: 'Changed meanwhile' });
      await page.getByText('What you see may be out of date.').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Order F-1' }).waitFor();
      await page.unroute(order);
      await admin('PATCH', `/api/data/order/${ids.orders}`, { notes: 'Changed again' });
      await page.getByText('What you see may be out of date.').waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Notes').inputValue(), 'Changed again');
      await context.close();
    });

    test('without a connection a page says so, keeps what it shows and saves nothing', async () => {
      const { page, context } = await openConsole(browser, server.url, `/customers/${ids.customers}`);
      await page.getByRole('textbox', { name: 'Email' }).fill('draft@example.com');
      await context.setOffline(true);
      await page.getByText('You are offline.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
      await admin('PATCH', `/api/data/customer/${ids.customers}`, { chatDisplayName: 'Mia Berg' });
      await page.clock.setFixedTime(Date.now() + 60_000); // everything that the page shows is old when it is connected again
      await context.setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
      await settled(page);
      assert.equal(await page.getByRole('textbox', { name: 'Email' }).inputValue(), 'draft@example.com');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mia Berg' }).waitFor();
      await context.close();
    });

    test('a part of the console that cannot be loaded takes nothing else away, and appears when it can', { skip: pair !== pairs[0] }, async () => {
      const { page, context } = await openConsole(browser, server.url, `/customers/${ids.customers}`);
      await page.getByRole('textbox', { name: 'Email' }).fill('draft@example.com');
      const search = /\/assets\/palette-/;
      await page.route(search, (route) => route.abort());
      await page.keyboard.press('Control+K');
      await page.getByText('Part of the console could not be loaded.').waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Email' }).inputValue(), 'draft@example.com');
      await page.unroute(search);
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await context.close();
    });

    test('what is typed while the page is read again stays, whatever is read', async () => {
      const product = `/api/data/product/${ids.products}`;
      const { page, context } = await openConsole(browser, server.url, `/products/${ids.products}`);
      await navigate(page, '/console/account');
      await page.clock.setFixedTime(Date.now() + 60_000); // what was read is old
      const { promise: asked, resolve: ask } = deferred();
      const { promise: released, resolve: release } = deferred();
      await page.route(`**${product}`, async (route) => { ask(); await released; await route.continue(); });
      await navigate(page, `/console/products/${ids.products}`);
      await asked;
      await page.getByRole('textbox', { name: 'Description' }).fill('Typed at once');
      await admin('PATCH', product, { name: 'Big mug' });
      const answered = page.waitForResponse(`**${product}`);
      release();
      await answered;
      await settled(page);
      assert.equal(await page.getByRole('textbox', { name: 'Description' }).inputValue(), 'Typed at once');
      await page.unroute(`**${product}`);
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('heading', { level: 1, name: 'Big mug' }).waitFor();
      await context.close();
    });

    // The form, its field, what a colleague writes meanwhile, and the field of the record. `open`: how the form is opened.
    const forms = () => [
      { path: `/products/${ids.products}`, field: 'Description', method: 'PATCH', api: `/api/data/product/${ids.products}`, key: 'description' },
      { path: `/discounts/${ids.discounts}`, field: /^Code/, method: 'PATCH', api: `/api/data/discount/${ids.discounts}`, key: 'code', mine: 'MINE', theirs: 'THEIRS' },
      { path: `/customers/${ids.customers}`, field: 'Email', method: 'PATCH', api: `/api/data/customer/${ids.customers}`, key: 'email', mine: 'mine@example.com', theirs: 'theirs@example.com' },
      { path: `/people/${ids.people}`, field: 'Email', method: 'PATCH', api: `/api/data/user/${ids.people}`, key: 'email', mine: 'mine@example.com', theirs: 'theirs@example.com' },
      { path: `/people/${ids.people}`, field: 'Additional permissions', method: 'PUT', api: `/api/admin/grants/${ids.people}`, key: 'keys', body: (value) => ({ keys: [value] }), read: ({ keys }) => keys.join() },
      { path: '/people', open: 'Edit role packer', field: 'What it is for', method: 'PATCH', api: '/api/admin/roles/packer', key: 'description' },
      { path: '/settings', field: 'Shop name', method: 'PUT', api: '/api/admin/branding', key: 'name' },
      { path: '/settings', field: 'Cancel after (minutes)', method: 'PUT', api: '/api/admin/settings', key: 'orderExpiryMinutes', mine: '11', theirs: '22', body: (value) => ({ orderExpiryMinutes: Number(value) }), read: ({ orderExpiryMinutes }) => String(orderExpiryMinutes) },
      { path: '/fund?tab=settings', field: 'Note for administrators', method: 'PUT', api: '/api/admin/community-fund/config', key: 'disclaimerText' },
      { path: `/webhooks/${ids.webhooks}`, field: 'Description', method: 'PATCH', api: `/api/admin/webhook-endpoints/${ids.webhooks}`, key: 'description' },
      { path: '/payment-methods', field: 'Instructions for the buyer', method: 'PUT', api: '/api/admin/payment-methods', body: (instructions) => ({ methods: [{ method: 'CASH', settings: { instructions } }] }), read: ({ methods }) => methods.find(({ method }) => method === 'CASH').settings.instructions },
      { path: '/messages?message=ORDER_PAID', field: 'Email subject', method: 'PUT', api: '/api/admin/messages', body: (subject) => ({ texts: [{ kind: 'ORDER_PAID', locale: 'en', subject }] }), read: ({ texts }) => texts.find(({ kind }) => kind === 'ORDER_PAID').subject },
    ];

    test('every form that somebody else has overtaken shows both versions and keeps the chosen one', async () => {
      const { page, context } = await openConsole(browser, server.url, '/account');
      for (const [index, { path, open, field, method, api, key, mine = 'mine', theirs = 'theirs', body = (value) => ({ [key]: value }), read = (record) => record[key] }] of forms().entries()) {
        await navigate(page, `/console${path}`);
        if (open) await page.getByRole('button', { name: open }).click();
        await settled(page);
        await page.getByRole('textbox', { name: field }).fill(mine);
        for (const pressed of key === 'keys' ? ['Enter', 'Escape'] : []) await page.keyboard.press(pressed);
        await admin(method, api, body(theirs));
        await page.getByRole('button', { name: /^Save( text)?$/ }).click();
        const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
        for (const value of [mine, theirs]) await dialog.getByText(value, { exact: true }).waitFor().catch(() => assert.fail(`${path} ${field}: ${value} is not shown`));
        const chosen = index % 2 === 0 ? mine : theirs;
        if (chosen === theirs) await dialog.locator('label', { hasText: 'Take theirs' }).click();
        await dialog.getByRole('button', { name: 'Save my choice' }).click();
        await dialog.waitFor({ state: 'detached' });
        assert.equal(read(await admin('GET', api)), chosen, `${path} ${field}`);
      }
      await context.close();
    });

    test('what only one of two people has changed is merged without asking; only what both have changed is asked', async () => {
      const { page, context } = await openConsole(browser, server.url, `/products/${ids.products}`);
      const product = `/api/data/product/${ids.products}`;
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await page.getByRole('textbox', { name: 'Description' }).fill('My words');
      await admin('PATCH', product, { priceCents: 1800, isActive: false });
      await save.click();
      await page.getByText('Saved', { exact: true }).waitFor();
      const merged = await admin('GET', product);
      assert.deepEqual([merged.description, merged.priceCents, merged.isActive], ['My words', 1800, false]);
      await settled(page);
      await page.getByRole('textbox', { name: 'Description' }).fill('My other words');
      await admin('PATCH', product, { description: 'Their words', priceCents: 2100 });
      await save.click();
      const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
      await dialog.getByText('What only they have changed is kept: Price.').waitFor();
      assert.equal(await dialog.getByRole('radiogroup').count(), 1);
      await dialog.getByRole('button', { name: 'Save my choice' }).click();
      await dialog.waitFor({ state: 'detached' });
      const chosen = await admin('GET', product);
      assert.deepEqual([chosen.description, chosen.priceCents], ['My other words', 2100]);
      // Parts of one field: the time and the uses of a discount.
      const discount = `/api/data/discount/${ids.discounts}`;
      await admin('PATCH', discount, { lifecycle: { startsAt: '2026-01-01T10:00:30.000Z' } });
      await navigate(page, `/console/discounts/${ids.discounts}`);
      await page.getByRole('textbox', { name: 'Maximum uses' }).fill('7');
      await admin('PATCH', discount, { lifecycle: { endsAt: '2030-01-01T00:00:00.000Z' } });
      await save.click();
      await page.getByText('Saved').last().waitFor();
      for (let tries = 0; (await admin('GET', discount)).lifecycle.usageLimit !== 7; ++tries) assert.ok(tries < 100);
      const { lifecycle } = await admin('GET', discount);
      assert.deepEqual([lifecycle.usageLimit, lifecycle.startsAt, lifecycle.endsAt], [7, '2026-01-01T10:00:30.000Z', '2030-01-01T00:00:00.000Z']);
      await context.close();
    });

    test('a page recovers by itself after an outage and a restart, also one that could not be loaded meanwhile', async () => {
      const { page, context } = await openConsole(browser, server.url, '/orders');
      const other = await openConsole(browser, server.url, '/orders');
      await server.restart(async () => {
        await page.getByRole('link', { name: /^Customers/ }).click();
        await page.getByText(/could not be loaded|cannot be reached/).first().waitFor();
        await other.page.getByRole('link', { name: 'F-1' }).click();
        await other.page.getByRole('alert').first().waitFor();
      });
      await page.getByRole('link', { name: /^Mia/ }).waitFor({ timeout: 60_000 });
      await other.page.getByRole('heading', { level: 1, name: 'Order F-1' }).waitFor({ timeout: 60_000 });
      for (const each of [page, other.page]) {
        await each.getByText('What you see may be out of date.').waitFor({ state: 'detached', timeout: 60_000 });
        await each.getByText('Reconnecting').waitFor({ state: 'detached', timeout: 60_000 });
      }
      await other.context.close();
      await context.close();
    });

    test('a change that somebody else has made to another payment method is no conflict', async () => {
      const { page, context } = await openConsole(browser, server.url, '/payment-methods');
      await page.getByRole('textbox', { name: 'Instructions for the buyer' }).fill('At the bar');
      await admin('PUT', '/api/admin/payment-methods', { methods: [{ method: 'P2P', settings: { instructions: 'By post' } }] });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      const { methods } = await admin('GET', '/api/admin/payment-methods');
      assert.deepEqual(['CASH', 'P2P'].map((name) => methods.find(({ method }) => method === name).settings.instructions), ['At the bar', 'By post']);
      await context.close();
    });
  });
}
