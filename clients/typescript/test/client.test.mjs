// The client against a real server, started from build/release/guildhall on a free port.
import assert from 'node:assert/strict';
import { createHmac, randomBytes, webcrypto } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startServer } from '../../../web/tests/server.mjs';
import { ApiError, GuildhallClient, NetworkError, verifyWebhook } from '../dist/index.js';

globalThis.crypto ??= webcrypto;  // Node.js 18 has none

let server, client;

before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true' });
  client = new GuildhallClient({ baseUrl: server.url });
  await client.signIn('default', 'admin', 'correct horse');
});

after(() => server?.stop());

const customer = (number) => ({ chatId: `c-${number}`, chatUsername: `user${number}`, chatDisplayName: `User ${number}` });

test('walks through every page of a list', async () => {
  for (let number = 0; number < 7; ++number) await client.post('/api/data/customer', customer(number));
  const seen = [];
  for await (const each of client.each('/api/data/customer', { limit: 3 })) seen.push(each.chatId);
  assert.deepEqual(seen.sort(), ['c-0', 'c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6']);
});

test('refuses to overwrite a newer version', async () => {
  const { id } = await client.post('/api/data/customer', customer('etag'));
  const path = `/api/data/customer/${id}`;
  const { etag } = await client.read(path);
  await client.patch(path, { notes: 'first' }, { ifMatch: etag });
  await assert.rejects(client.patch(path, { notes: 'second' }, { ifMatch: etag }), (error) => error instanceof ApiError && error.status === 412);
});

test('names every wrong field, misspelt ones too', async () => {
  await assert.rejects(client.post('/api/data/customer', { chatId: '', chatUsername: 'u', chatDisplayName: 'd', emial: 'x' }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual(error.details.map((problem) => problem.field).sort(), ['chatId', 'emial']);
    assert.notEqual(error.requestId, '');
    return true;
  });
});

test('repeats a POST after a lost answer without acting twice', async () => {
  let lost = 0;
  const losing = new GuildhallClient({
    baseUrl: server.url,
    fetch: async (...request) => {
      const answer = await fetch(...request);
      if (request[1].method === 'POST' && String(request[0]).endsWith('/order') && lost++ === 0) throw new TypeError('connection lost');
      return answer;
    },
  });
  await losing.signIn('default', 'admin', 'correct horse');
  const order = await losing.post('/api/data/order', {
    orderNumber: 'LOST-1', customer: { name: 'Mia' }, items: [{ productId: 'p', name: 'Mug', sku: 'M', quantity: 1, unitPriceCents: 100 }],
  });
  assert.equal(order.orderNumber, 'LOST-1');
  assert.equal(lost, 2);
});

test('follows changes over a lost connection, each once and in order', async () => {
  const connections = [];
  const watching = new GuildhallClient({
    baseUrl: server.url,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (String(url).endsWith('/api/admin/changes')) connections.push(init.headers['last-event-id'] ?? '');
      if (connections.length !== 1) return answer;
      // The first connection breaks after three chunks: the beginning of the stream, and two changes.
      const reader = answer.body.getReader();
      let chunks = 0;
      const broken = new ReadableStream({
        async pull(controller) {
          if (chunks++ === 3) return controller.error(new TypeError('connection lost'));
          controller.enqueue((await reader.read()).value);
        },
      });
      return new Response(broken, { status: answer.status, headers: answer.headers });
    },
  });
  await watching.signIn('default', 'admin', 'correct horse');
  const stop = new AbortController();
  const changes = watching.changes({ signal: stop.signal });
  const created = [];
  const create = async (number) => created.push((await client.post('/api/data/customer', customer(`live-${number}`))).id);
  const first = changes.next();  // connects
  while (connections.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await create(1);
  const seen = [(await first).value];
  await create(2);
  seen.push((await changes.next()).value);
  await create(3);
  await create(4);
  seen.push((await changes.next()).value, (await changes.next()).value);
  assert.deepEqual(seen.map((event) => event.change.id), created);
  assert.equal(connections[1], seen[1].id, 'it continues after the last change that arrived');
  assert.deepEqual(Object.keys(seen[0].change).sort(), ['action', 'actor', 'at', 'entity', 'id', 'version']);
  stop.abort();
  assert.equal((await changes.next()).done, true);
});

test('is asked to reload when its position is unknown, and refused without a session', async () => {
  for await (const event of client.changes({ lastEventId: 'unknown' })) {
    assert.equal(event.type, 'reload');
    break;
  }
  const stranger = new GuildhallClient({ baseUrl: server.url });
  await assert.rejects(stranger.changes().next(), (error) => error instanceof ApiError && error.status === 401);
});

test('says that a server cannot be reached', async () => {
  const nowhere = new GuildhallClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
  await assert.rejects(nowhere.get('/healthz'), NetworkError);
});

test('verifies webhooks and refuses forged and old ones', async () => {
  const key = randomBytes(32);
  const secret = `whsec_${key.toString('base64')}`;
  const body = '{"type":"order.paid"}';
  const sign = (timestamp) => ({
    'webhook-id': 'm1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`m1.${timestamp}.${body}`).digest('base64')}`,
  });
  const now = Math.floor(Date.now() / 1000);
  assert.deepEqual(await verifyWebhook(body, sign(now), secret), { type: 'order.paid' });
  await assert.rejects(verifyWebhook(`${body} `, sign(now), secret));
  await assert.rejects(verifyWebhook(body, sign(now - 400), secret));
});
