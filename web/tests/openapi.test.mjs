// The OpenAPI document as tools see it: it is valid, and every example fits its schema.
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from './server.mjs';

let server, document, folder;

before(async () => {
  server = await startServer({ PLATFORM_BILLING_ENABLED: 'true', BILLING_WEBHOOK_SECRET: 'a billing secret of the tests' });
  document = await (await fetch(`${server.url}/openapi.json`)).json();
  folder = mkdtempSync(join(tmpdir(), 'guildhall-openapi-'));
});

after(async () => {
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Every example of the document, with its schema and the place where it stands. */
function* examples(value, place = '#') {
  if (value === null || typeof value !== 'object') return;
  const schema = value.schema ?? value;
  if (value.example !== undefined && value.schema) yield { place, schema, example: value.example };
  if (Array.isArray(value.examples)) {
    const { examples: list, ...rest } = value;
    for (const example of list) yield { place, schema: rest, example };
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === 'examples' || key === 'example' || key === 'x-codeSamples') continue;
    yield* examples(member, `${place}/${key}`);
  }
}

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const local = (schema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  const wrong = [];
  let count = 0;
  for (const { place, schema, example } of examples({ paths: document.paths, components: document.components })) {
    const check = ajv.compile(local(schema));
    ++count;
    if (!check(example)) wrong.push(`${place}: ${JSON.stringify(example).slice(0, 120)} ${ajv.errorsText(check.errors)}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 1000, `only ${count} examples`);
});

test('the strict rules of redocly find nothing', () => {
  const path = join(folder, 'openapi.json');
  writeFileSync(path, JSON.stringify(document));
  const here = fileURLToPath(new URL('.', import.meta.url));
  const lint = spawnSync('node_modules/.bin/redocly', ['lint', path, '--config', 'redocly.yaml', '--max-problems', '50'], {
    cwd: here,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true', NO_COLOR: '1' },
  });
  const output = lint.stdout + lint.stderr;
  assert.equal(lint.status, 0, output);
  assert.doesNotMatch(output, /\bwarnings?\b/i, output);
});

// Spectral's two rules about examples are left out: they repeat the first test of this file and take four fifths of the time.
test('the rules of Spectral find nothing', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas, 'recommended']],
    rules: { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' },
  });
  const found = await linter.run(document);
  assert.deepEqual(found.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`), []);
});

test('every event that leaves the server is described', async () => {
  const described = Object.keys(document.webhooks);
  const events = document.components.schemas.EventNames.properties.events;
  assert.ok(described.includes('order.paid') && described.includes('webhook.test'), described.join());
  for (const name of events.examples[0]) assert.ok(described.includes(name), name);
});

test('fields that are kept for migration only are deprecated', () => {
  const { User, NewUser, TenantView, TenantPatch } = document.components.schemas;
  for (const type of [User, NewUser]) assert.equal(type.properties.chatId.deprecated, true);
  for (const type of [TenantView, TenantPatch]) assert.equal(type.properties.adminUserIds.deprecated, true);
});
