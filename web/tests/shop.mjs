import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { launch, picture, violations } from './browser.mjs';
import { openConsole } from './console.mjs';
import { pairs, signIn, startServer } from './server.mjs';

/** Calls `tests` with a shop on each pair of engines. It has a product, a discount and a customer when the tests run. */
export function onEachPair(tests) {
  let browser;
  before(async () => { browser = await launch(); });
  after(() => browser?.close());

  for (const pair of pairs) {
    describe(`with ${pair}`, () => {
      let session;
      const checked = pair === pairs[0];  // dialogs are checked with axe on one pair: they are the same on the other
      const admin = (...request) => session(...request);
      const shop = { pair, checked, admin };

      before(async () => {
        shop.server = await startServer({ RATE_LIMIT_DISABLED: 'true' }, { pair });
        session = await signIn(shop.server.url);
        shop.mug = await admin('POST', '/api/data/product', { name: 'Guild mug', sku: 'MUG-1', priceCents: 1500, stockQuantity: 1000, grantedRoleIds: ['77'] });
        await admin('POST', '/api/data/discount', { code: 'TEN', type: 'PERCENT', percent: 10 });
        shop.customer = await admin('POST', '/api/data/customer', { chatId: '42', chatUsername: 'mia', chatDisplayName: 'Mia Larsson', email: 'mia@example.com' });
      });
      after(() => shop.server?.stop());

      shop.openConsole = (path, options, user) => openConsole(browser, shop.server.url, path, options, user);
      shop.newOrder = (orderNumber, more = {}) => admin('POST', '/api/data/order', {
        orderNumber, customer: { name: 'Mia Larsson', email: 'mia@example.com' }, customerId: shop.customer.id,
        items: [{ productId: shop.mug.id, name: 'Guild mug', sku: 'MUG-1', quantity: 2, unitPriceCents: 1500 }], ...more,
      });
      shop.accessible = async (page, name) => {
        if (checked) assert.deepEqual(await violations(page), [], name);
        await picture(page, `shop-${name}`);
      };
      tests(shop);
    });
  }
}
