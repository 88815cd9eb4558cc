// The client against a real server, started from build/release/guildhall on a free port.
import { ApiError, GuildhallClient, NetworkError } from '@guildhall/client';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

const source = process.env.GUILDHALL_SOURCE;
const { startServer } = await import(`${source}/web/tests/server.mjs`);
let server, client;

before(async () => {
  server = await startServer({ RATE_LIMIT_DISABLED: 'true' });
  client = new GuildhallClient({ baseUrl: server.url });
  await client.signIn('default', 'admin', 'correct horse');
});

after(() => server?.stop());

const customer = (number) => ({ chatId: `c-${number}`, chatUsername: `user${number}`, chatDisplayName: `User ${number}` });

test('walks through every page of a list', async () => {
  for (let number = 0; number < 7; ++number) await client.post('/api/data/customer', { body: customer(number) });
  const seen = [];
  for await (const each of client.each('/api/data/customer', { query: { limit: 3 } })) seen.push(each.chatId);
  assert.deepEqual(seen.sort(), ['c-0', 'c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6']);
});

test('walks through lists that are counted', async () => {
  for (let number = 0; number < 5; ++number) {
    const items = [{ productId: 'p', name: 'Mug', sku: 'M', quantity: 1, unitPriceCents: 100 }];
    await client.post('/api/data/order', { body: { orderNumber: `OPEN-${number}`, status: 'PAID', customer: { name: 'Mia' }, items } });
  }
  const seen = new Set();
  for await (const order of client.each('/api/data/order/open', { query: { pageSize: 2 } })) seen.add(order.orderNumber);
  assert.equal(seen.size, 5);
});

test('refuses to overwrite a newer version', async () => {
  const path = '/api/data/customer/{id}';
  const { id } = await client.post('/api/data/customer', { body: customer('etag') });
  const { etag } = await client.read(path, { params: { id } });
  const change = (notes, ifMatch) => client.patch(path, { params: { id }, body: { notes }, ifMatch });
  const first = await change('first', etag);
  await assert.rejects(change('second', etag), (error) => error instanceof ApiError && error.status === 412);
  assert.equal((await change('third', first.etag)).record.notes, 'third');
  assert.equal((await client.delete(path, { params: { id } })).id, id);
  await assert.rejects(client.get(path, { params: { id: 'a/b?c' } }), (error) => error instanceof ApiError && error.status === 404);
  assert.throws(() => client.read(path, { params: { id: '' } }), TypeError);
});

test('names every wrong field, misspelt ones too', async () => {
  const body = { chatId: '', chatUsername: 'u', chatDisplayName: 'd', emial: 'x' };
  await assert.rejects(client.post('/api/data/customer', { body }), (error) => {
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
  const items = [{ productId: 'p', name: 'Mug', sku: 'M', quantity: 1, unitPriceCents: 100 }];
  const order = await losing.post('/api/data/order', { body: { orderNumber: 'LOST-1', customer: { name: 'Mia' }, items } });
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
  const create = async (number) => created.push((await client.post('/api/data/customer', { body: customer(`live-${number}`) })).id);
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

test('signs in, and out again', async () => {
  const person = new GuildhallClient({ baseUrl: server.url });
  const { session } = await person.signIn('default', 'admin', 'correct horse');
  assert.equal(session.user.tenantId, 'default');
  await person.get('/api/data/order');
  await person.fetch('GET', '/auth/logout', { headers: { accept: 'application/json' } });
  await assert.rejects(person.get('/api/data/order'), (error) => error instanceof ApiError && error.status === 401);
});

test('uses a token, and no session beside it', async () => {
  const { token } = await client.post('/api/admin/tokens', { body: { name: 'client', keys: ['data.read'] } });
  const sent = [];
  const program = new GuildhallClient({ baseUrl: server.url, token, fetch: (url, init) => (sent.push(init), fetch(url, init)) });
  await program.get('/api/data/order');
  assert.equal(sent[0].credentials, 'omit');
  await assert.rejects(program.post('/api/data/customer', { body: customer('token') }), (error) => error instanceof ApiError && error.status === 403);
  for await (const event of program.changes({ lastEventId: 'unknown' })) {
    assert.equal(event.type, 'reload');
    break;
  }
});

test('sends pictures, lists of values, and reads what is not JSON', async () => {
  const { id } = await client.post('/api/data/product', { body: { name: 'Mug', sku: 'MUG-P', priceCents: 100 } });
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
  await client.put('/api/data/product/{id}/image', { params: { id }, body: new Blob([png], { type: 'image/png' }) });
  const names = await client.get('/api/data/name', { query: { kind: 'product', ids: [id, 'unknown'] } });
  assert.deepEqual(names.items.map((item) => item.name), ['Mug']);
  const report = await client.fetch('GET', '/api/admin/reports/sales', { query: { format: 'csv' } });
  assert.match(report.headers.get('content-type'), /^text\/csv/);
});

test('reaches the end of every list', async () => {
  const { paths, components } = JSON.parse(readFileSync(`${source}/clients/openapi.json`, 'utf8'));
  const typeOf = (schema) => components.schemas[schema?.$ref?.split('/').pop()] ?? schema;
  const isList = ({ get }) => typeOf(get?.responses[200]?.content?.['application/json']?.schema)?.properties?.items !== undefined;
  const lists = Object.entries(paths).filter(([path, methods]) => !path.includes('{') && isList(methods));
  assert.ok(lists.length > 30, `only ${lists.length} lists`);
  for (const [path, { get }] of lists) {
    const needed = get.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    const query = Object.fromEntries(needed.map((parameter) => [parameter.name, parameter.example]));
    for (const name of ['limit', 'pageSize']) if (get.parameters.some((parameter) => parameter.name === name)) query[name] = 2;
    const { items, total } = await client.get(path, { query });
    let count = 0;
    try {
      for await (const item of client.each(path, { query })) {
        assert.ok(item !== undefined && ++count < 500, path);
      }
    } catch (error) {
      throw new Error(`${path}: ${error.message}`);
    }
    assert.ok(count >= items.length && count >= Math.min(total ?? 0, 100), `${path}: ${count} of ${total}`);
  }
});
