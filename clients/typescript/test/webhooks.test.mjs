// Deliveries that are genuine, forged, or not deliveries at all.
import { verifyWebhook, WebhookError } from '@guildhall/client';
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';

const key = randomBytes(32);
const secret = `whsec_${key.toString('base64')}`;
const body = '{"type":"order.paid","timestamp":"2026-11-15T10:00:00.000Z","data":{"customerName":"Zoë"}}';
const now = Math.floor(Date.now() / 1000);

const sign = (timestamp = now, text = body) => ({
  'webhook-id': 'm1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': `v1,${createHmac('sha256', key).update(`m1.${timestamp}.${text}`).digest('base64')}`,
});

test('accepts genuine deliveries, with every kind of headers and body', async () => {
  const headers = sign();
  const signatures = `v1,${randomBytes(32).toString('base64')} v2,x v1,? ${headers['webhook-signature']}`;
  for (const [text, given] of [
    [body, headers],
    [body, new Headers(headers)],
    [new TextEncoder().encode(body), new Request('http://server.test', { headers }).headers],
    [new TextEncoder().encode(body).buffer, { 'Webhook-Id': 'm1', 'Webhook-Timestamp': headers['webhook-timestamp'], 'Webhook-Signature': headers['webhook-signature'], cookie: undefined, via: ['a', 'b'] }],
    [body, { ...headers, 'webhook-signature': signatures }],
  ]) {
    const message = await verifyWebhook(text, given, secret);
    assert.equal(message.type, 'order.paid');
    assert.equal(message.data.customerName, 'Zoë');
  }
});

test('refuses everything else, and throws only its own error', async () => {
  const without = (name) => ({ ...sign(), [name]: undefined });
  for (const [text, headers, own] of [
    [`${body} `, sign(), secret],
    [body, sign(now - 400), secret],
    [body, sign(now + 400), secret],
    [body, { ...sign(), 'webhook-timestamp': 'NaN' }, secret],
    [body, { ...sign(), 'webhook-signature': 'v1,%%%' }, secret],
    [body, { ...sign(), 'webhook-signature': 'v1' }, secret],
    [body, { ...sign(), 'webhook-signature': ['v1,a', 'v1,b'] }, secret],
    [body, without('webhook-id'), secret],
    [body, without('webhook-timestamp'), secret],
    [body, without('webhook-signature'), secret],
    [body, new Headers(), secret],
    [body, {}, secret],
    [body, null, secret],
    [body, undefined, secret],
    [body, sign(), 'whsec_'],
    [body, sign(), 'whsec_%'],
    [body, sign(), ''],
    [body, sign(), undefined],
    [body, sign(), `whsec_${randomBytes(32).toString('base64')}`],
    [undefined, sign(), secret],
    [{ type: 'order.paid' }, sign(), secret],
    ['not JSON', sign(now, 'not JSON'), secret],
  ]) {
    await assert.rejects(verifyWebhook(text, headers, own), (error) => error instanceof WebhookError && error.message !== '', JSON.stringify([text, headers, own]));
  }
});
