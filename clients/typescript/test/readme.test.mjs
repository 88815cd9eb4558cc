// The examples of the README, run one after the other as one program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

const { signIn, startServer } = await import(`${process.env.GUILDHALL_SOURCE}/web/tests/server.mjs`);
let server, token;

before(async () => {
  server = await startServer({});
  const admin = await signIn(server.url);
  ({ token } = await admin('POST', '/api/admin/tokens', { name: 'readme', keys: ['data.read', 'data.write', 'admin.access'] }));
  await admin('POST', '/api/data/order', {
    orderNumber: 'README-1', status: 'PAID', customer: { name: 'Mia' }, items: [{ productId: 'p', name: 'Mug', sku: 'M', quantity: 1, unitPriceCents: 100 }],
  });
});

after(() => server?.stop());

test('the examples do what the README says', () => {
  const program = readFileSync('readme.js', 'utf8')
    .replaceAll('https://shop.example.com', server.url)
    .replaceAll('gh_your_token', token)
    .replaceAll('your password', 'correct horse');
  const secret = Buffer.from('a secret of the endpoint').toString('base64');
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`m.${timestamp}.{"type":"order.paid"}`).digest('base64');
  writeFileSync('readme-run.mjs', `${program}
    const headers = { "webhook-id": "m", "webhook-timestamp": "${timestamp}", "webhook-signature": "v1,${signature}" };
    const delivery = (body) => new Request("http://server.test", { method: "POST", headers, body });
    for (const body of ['{"type":"order.paid"}', "forged"]) console.log("received", (await receive(delivery(body), "whsec_${secret}")).status);
  `);
  const run = spawnSync(process.execPath, ['--no-warnings', 'readme-run.mjs'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  for (const expected of [/USD$/m, /^README-1 100 USD$/m, /^1600 "/m, /^400 .*chatId/ms, /^1 null$/m, /received 204\n.*received 400/s]) {
    assert.match(run.stdout, expected);
  }
});
