// The client against answers that a real server gives seldom: limits, failures, pages of proxies, slow servers.
import { ApiError, GuildhallClient, NetworkError } from '@guildhall/client';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

/** A client whose calls get these answers, one after the other. */
function answered(answers, options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    return answer instanceof Error ? Promise.reject(answer) : answer();
  };
  return { client: new GuildhallClient({ baseUrl: 'http://server.test/', fetch, ...options }), requests };
}

const json = (value, status = 200, headers = {}) => () =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
const page = (text, status = 200) => () => new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
const limited = (headers) => json({ error: 'Too Many Requests' }, 429, headers);
const order = { params: { id: '1' }, body: { notes: 'x' } };

test('waits until RateLimit-Reset, or else for Retry-After', async () => {
  const ok = json({ items: [], nextCursor: null });
  const soon = answered([limited({ 'ratelimit-reset': '0', 'retry-after': '3600' }), ok]);
  await soon.client.get('/api/data/order');
  assert.equal(soon.requests.length, 2);
  for (const headers of [{ 'ratelimit-reset': '61', 'retry-after': '1' }, { 'retry-after': '61' }, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }]) {
    const late = answered([limited(headers), ok]);
    await assert.rejects(late.client.get('/api/data/order'), (error) => error instanceof ApiError && error.status === 429 && error.retryAfterSeconds > 60);
    assert.equal(late.requests.length, 1, 'it does not wait longer than maxWaitMs');
  }
  const patient = answered([limited({ 'ratelimit-reset': '1' }), ok], { maxWaitMs: 1000 });
  await patient.client.get('/api/data/order');
  assert.equal(patient.requests.length, 2);
});

test('repeats only what is safe to repeat', async () => {
  const busy = json({ error: 'busy' }, 503, { 'retry-after': '0' });
  for (const [answer, call, expected] of [
    [busy, (client) => client.get('/api/data/order'), 3],
    [busy, (client) => client.post('/api/data/product', { body: { name: 'M', sku: 'M', priceCents: 1 } }), 3],
    [busy, (client) => client.patch('/api/data/order/{id}', order), 1],
    [busy, (client) => client.patch('/api/data/order/{id}', { ...order, idempotencyKey: 'k' }), 3],
    [busy, (client) => client.signIn('default', 'admin', 'x'), 1],
    [limited({}), (client) => client.patch('/api/data/order/{id}', order), 3],
    [new TypeError('connection lost'), (client) => client.get('/api/data/order'), 3],
    [json({ error: 'wrong' }, 400), (client) => client.get('/api/data/order'), 1],
  ]) {
    const { client, requests } = answered([answer]);
    await assert.rejects(call(client), answer instanceof Error ? NetworkError : ApiError);
    assert.equal(requests.length, expected);
    assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1, 'all attempts have the same key');
  }
});

test('is aborted at once, also while it waits for its next attempt', async () => {
  const { client, requests } = answered([json({ error: 'busy' }, 503, { 'retry-after': '50' })]);
  const stop = new AbortController();
  const waiting = client.get('/api/data/order', { signal: stop.signal });
  while (requests.length === 0) await new Promise(setImmediate);
  stop.abort(new Error('changed my mind'));
  await assert.rejects(waiting, /changed my mind/);
  await assert.rejects(client.get('/api/data/order', { signal: stop.signal }), /changed my mind/);
  assert.equal(requests.length, 1);
});

test('ends by AbortSignal.timeout without another attempt, also in the middle of a list', async (t) => {
  let requests = 0;
  const stop = new AbortController();
  const silent = createServer((request, response) => {
    if (++requests === 1) response.setHeader('content-type', 'application/json').end('{"items":[1],"nextCursor":"c"}');
    else stop.abort(new DOMException('too late', 'TimeoutError'));
  });
  t.after(() => { silent.closeAllConnections(); silent.close(); });
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const client = new GuildhallClient({ baseUrl: `http://127.0.0.1:${silent.address().port}` });
  const seen = [];
  await assert.rejects(async () => {
    for await (const item of client.each('/api/data/order', { signal: stop.signal })) seen.push(item);
  }, { name: 'TimeoutError' });
  assert.deepEqual(seen, [1]);
  assert.equal(requests, 2);
  await assert.rejects(client.get('/api/data/order', { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
  assert.ok(requests <= 3);
});

test('quotes a page that came instead of JSON', async () => {
  const fails = (answer, status, pattern) =>
    assert.rejects(answered([answer], { retries: 0 }).client.get('/api/data/order'), (error) => {
      assert.ok(error instanceof ApiError, String(error));
      assert.equal(error.status, status);
      assert.match(error.message, pattern);
      return true;
    });
  await fails(page('<html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>', 502), 502, /status 502: “502 Bad Gateway”/);
  await fails(page('<!doctype html><title>Welcome to the hotel</title>'), 200, /text\/html instead of JSON: “Welcome to the hotel”/);
  await fails(page(`<style>p{}</style><p>Log in</p>${'x'.repeat(5000)}`), 200, /“Log in x{50,100}…”/);
  await fails(page('', 504), 504, /status 504\.$/);
  await fails(() => new Response('{"items":[', { headers: { 'content-type': 'application/json' } }), 200, /broken JSON/);
});

test('ends on every kind of list', async () => {
  for (const [pages, expected] of [
    [[{ items: [1, 2], nextCursor: 'a' }, { items: [], nextCursor: 'b' }, { items: [3], nextCursor: null }], ['', 'cursor=a', 'cursor=b']],
    [[{ items: [1, 2, 3], nextCursor: null, total: 9 }], ['']],
    [[{ items: [1, 2, 3] }], ['']],
    [[{ items: [1, 2], page: 1, pageSize: 2, total: 3 }, { items: [3], page: 2, pageSize: 2, total: 3 }], ['', 'page=2']],
    [[{ items: [1, 2], total: 3 }, { items: [3], total: 3 }], ['', 'offset=2']],
    [[{ items: [1, 2, 3], total: 5 }, { items: [], total: 5 }], ['', 'offset=3']],
  ]) {
    const { client, requests } = answered(pages.map((each) => json(each)));
    const seen = [];
    for await (const item of client.each('/api/data/order')) seen.push(item);
    assert.deepEqual(seen, [1, 2, 3]);
    assert.deepEqual(requests.map(({ url }) => new URL(url).search.replace('?', '')), expected);
  }
  const { client } = answered([json({ items: [1], nextCursor: 'same' })]);
  await assert.rejects(async () => { for await (const item of client.each('/api/data/order')) assert.equal(item, 1); }, /same page/);
});

test('says when the session has ended', async () => {
  let ended = 0;
  const { client } = answered([json({ error: 'Unauthorized' }, 401)], { onUnauthenticated: () => ++ended });
  await assert.rejects(client.get('/api/data/order'), ApiError);
  assert.equal(ended, 1);
});
