// The console's pages for memberships, as a person uses them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { openConsole, sweepConsole } from './console.mjs';
import { signIn, startServer } from './server.mjs';

let server, browser, admin, membership;

before(async () => {
  server = await startServer({});
  admin = await signIn(server.url);
  const plan = (name, priceCents) => admin('POST', '/api/data/product', {
    name, sku: name.toUpperCase(), priceCents, isDigital: true, inventoryTracked: false, membership: { periodMonths: 1, trialDays: 7, graceDays: 3, group: 'club' },
  });
  const supporter = await plan('Supporter', 500);
  await plan('Patron', 2000);
  await admin('POST', '/api/data/product', { name: 'Mug of a supporter', sku: 'MUG', priceCents: 1500 });
  const pay = (chatId, rest = {}) => admin('POST', '/api/data/order', { orderNumber: `M-${chatId}`, status: 'PAID', customer: { name: 'Mia', chatId }, items: [{ productId: supporter.id, quantity: 1 }], ...rest });
  await admin('POST', '/api/data/customer', { chatId: '42', chatUsername: 'mia', chatDisplayName: 'Mia Larsson' });
  await admin('POST', '/api/data/customer', { chatId: '43', chatUsername: 'tom', chatDisplayName: 'Tom Weber' });
  await pay('42');
  await pay('44', { giftTo: '43' });
  membership = (await admin('GET', '/api/admin/memberships?chatUserId=42')).items[0];
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('memberships, codes and the report are accessible on a phone and a desktop, in light and dark colours', async () => {
  const { page, trouble, context } = await openConsole(browser, server.url, '/', { colorScheme: 'light' });
  const paths = ['/memberships', '/memberships?state=GRACE', '/memberships?tab=codes', '/memberships?tab=report', `/memberships/${membership.id}`, `/products/${membership.productId}`];
  assert.deepEqual(await sweepConsole(page, paths, 'memberships'), {});
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a member is found by the state, paused, resumed, changed to another plan and cancelled', async () => {
  const { page, context } = await openConsole(browser, server.url, '/memberships?state=ACTIVE&sort=expiresAt');
  await page.getByRole('link', { name: 'Tom Weber' }).waitFor();
  await page.getByRole('link', { name: 'Mia Larsson' }).click();
  await page.getByText('Payments and periods').waitFor();
  const act = async (name) => {
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    if (name === 'Change plan') {
      await dialog.getByRole('textbox', { name: 'New plan' }).click();
      await page.getByRole('option', { name: 'Patron' }).click();
    }
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await act('Pause');
  await page.getByText('Paused: no time is used up').waitFor();
  await act('Resume');
  await act('Change plan');
  await page.getByRole('link', { name: 'Patron' }).first().waitFor();
  await page.getByText('Plan change').waitFor();
  await act('Cancel membership');
  await page.getByText('it ends then').waitFor();
  const now = await admin('GET', `/api/admin/memberships/${membership.id}`);
  assert.equal(now.status, 'ACTIVE');
  assert.ok(now.cancelledAt);
  assert.notEqual(now.productId, membership.productId);
  await context.close();
});

test('codes are made in bulk, downloaded once, listed and withdrawn', async () => {
  const { page, context } = await openConsole(browser, server.url, '/memberships?tab=codes');
  await page.getByRole('button', { name: 'Create codes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Membership' }).click();
  await page.getByRole('option', { name: /Patron/ }).waitFor();
  assert.deepEqual((await page.getByRole('option').allTextContents()).sort(), ['Patron · PATRON', 'Supporter · SUPPORTER'], 'memberships alone');
  await page.getByRole('option', { name: /Supporter/ }).click();
  await dialog.getByLabel('Number of codes').fill('3');
  await dialog.getByLabel('Note').fill('Spring fair');
  await dialog.getByRole('button', { name: 'Create codes' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const lines = readFileSync(await (await downloading).path(), 'utf8').trim().split('\r\n');
  assert.equal(lines.length, 4);
  assert.match(lines[1], /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3},Spring fair$/);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  assert.equal((await admin('GET', '/api/admin/codes?status=OPEN&total=true')).total, 3);
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Code withdrawn.').first().waitFor();
  assert.equal((await admin('GET', '/api/admin/codes?status=WITHDRAWN&total=true')).total, 1);
  await context.close();
});
