// Writes the examples of the README as one program, readme.ts, and the TypeScript samples of the reference as samples/*.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const { startServer } = await import(`${process.env.GUILDHALL_SOURCE}/web/tests/server.mjs`);

const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
writeFileSync('readme.ts', blocks.join('\n'));

const server = await startServer({ PLATFORM_BILLING_ENABLED: 'true', BILLING_WEBHOOK_SECRET: 'a billing secret of the tests' });
const document = await (await fetch(`${server.url}/openapi.json`)).json();
await server.stop();
mkdirSync('samples');
let count = 0;
for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
  const sample = operation['x-codeSamples']?.find(({ lang }) => lang === 'TypeScript');
  if (!sample) continue;
  writeFileSync(`samples/${operation.operationId}.ts`, `declare const token: string, password: string;\n${sample.source}\n`);
  ++count;
}
if (blocks.length < 8 || count < 150) throw new Error(`only ${blocks.length} examples and ${count} samples`);
