// Measures how long the first page takes until it can be used: `node first-page.mjs [times] [folder for traces]`. Chromium's
// processor is slowed down four times. Each load has an empty cache. Needs GUILDHALL_BINARY; run it on an idle machine, or
// with `chrt -r 1` (Chromium sets its own niceness).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktop, launch, phone, watchedPage } from './browser.mjs';
import { cookieOf } from './console.mjs';
import { startServer } from './server.mjs';

const times = Number(process.argv[2] ?? 9);
const traces = process.argv[3];

/** The page can be used when the last element that this selector finds is shown. */
const pages = { 'sign-in': { path: '/', usable: 'main form button[type=submit]' }, home: { path: '/', usable: 'main .row-link', signedIn: true }, orders: { path: '/orders', usable: 'main .row-link', signedIn: true } };

const server = await startServer({ RATE_LIMIT_DISABLED: 'true' }, { withDemo: true });
const browser = await launch();

/** In the page: promises the time at which an element that the selector finds has been painted, together with a heading. */
function noteUsable(selector) {
  globalThis.usable = new Promise((resolve) => {
    const painted = () => requestAnimationFrame(() => resolve(performance.now()));
    const look = () => requestAnimationFrame(document.querySelector(selector) && document.querySelector('h1') ? painted : look);
    look();
  });
}

async function measure({ path, usable, signedIn }, viewport, trace) {
  const { page, context } = await watchedPage(browser, [server.url], { viewport });
  if (signedIn) await context.addCookies([await cookieOf(server.url)]);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(noteUsable, usable);
  if (trace) await browser.startTracing(page);
  await page.goto(`${server.url}/console${path}`, { waitUntil: 'commit' });
  const wall = await page.evaluate(() => globalThis.usable);
  if (trace) writeFileSync(trace, await browser.stopTracing());
  const { metrics } = await devtools.send('Performance.getMetrics');
  const milliseconds = (name) => Math.round(metrics.find((metric) => metric.name === name).value * 1000);
  await context.close();
  return { wall: Math.round(wall), task: milliseconds('TaskDuration'), script: milliseconds('ScriptDuration') };
}

for (const [size, viewport] of Object.entries({ desktop, phone })) {
  for (const [name, page] of Object.entries(pages)) {
    const runs = [];
    for (let run = 0; run < times; ++run) runs.push(await measure(page, viewport, run === times - 1 && traces && join(traces, `${name}-${size}.json`)));
    runs.sort((one, other) => one.wall - other.wall);
    console.log(`${name}, ${size}: median ${JSON.stringify(runs[times >> 1])}, best ${runs[0].wall}, worst ${runs.at(-1).wall}`);
  }
}
await browser.close();
await server.stop();
