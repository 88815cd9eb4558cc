// The client in a bundle for browsers, run in Chromium in a page of the server.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

const source = process.env.GUILDHALL_SOURCE;
const { startServer } = await import(`${source}/web/tests/server.mjs`);
const { launch } = await import(`${source}/web/tests/browser.mjs`);
const { buildSync } = await import(`${process.env.CLIENT_TOOLS}/esbuild/lib/main.js`).then((module) => module.default ?? module);
let server, browser;

before(async () => {
  server = await startServer({});
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a bundle for browsers signs in, writes, lists, follows changes and verifies webhooks', async () => {
  writeFileSync('entry.js', 'export * from "@guildhall/client";');
  const { outputFiles, warnings } = buildSync({ entryPoints: ['entry.js'], bundle: true, minify: true, platform: 'browser', format: 'iife', globalName: 'guildhall', write: false });
  assert.deepEqual(warnings, []);
  assert.ok(outputFiles[0].contents.length < 20_000, `${outputFiles[0].contents.length} bytes`);
  const page = await browser.newPage();
  await page.goto(`${server.url}/docs`);
  await page.evaluate(`${outputFiles[0].text}\nglobalThis.guildhall = guildhall;`);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${createHmac('sha256', 'secret').update(`m.${timestamp}.{"type":"order.paid"}`).digest('base64')}`;
  const seen = await page.evaluate(async ({ timestamp, signature }) => {
    const { ApiError, GuildhallClient, verifyWebhook } = globalThis.guildhall;
    const client = new GuildhallClient();
    const { session } = await client.signIn('default', 'admin', 'correct horse');
    let opened;
    const isOpen = new Promise((resolve) => (opened = resolve));
    const changes = client.changes({ onConnection: opened });
    const next = changes.next();
    await isOpen;
    const { id } = await client.post('/api/data/product', { body: { name: 'Mug', sku: 'MUG', priceCents: 100 } });
    const change = (await next).value.change;
    await changes.return();
    const listed = [];
    for await (const product of client.each('/api/data/product')) listed.push(product.id);
    const failure = await client.get('/api/data/product/{id}', { params: { id: 'none' } }).catch((error) => error);
    const headers = new Headers({ 'webhook-id': 'm', 'webhook-timestamp': timestamp, 'webhook-signature': signature });
    const message = await verifyWebhook('{"type":"order.paid"}', headers, `whsec_${btoa('secret')}`);
    return { tenant: session.user.tenantId, same: change.id === id && listed[0] === id, refused: failure instanceof ApiError && failure.status, type: message.type };
  }, { timestamp, signature });
  assert.deepEqual(seen, { tenant: 'default', same: true, refused: 404, type: 'order.paid' });
});
