// Runs all test files, several at a time: each of them waits for its server and its browser most of the time, and
// `node --test` would run them one after another on a machine with two processors.
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

// Longer files take longer, so they begin first.
const files = readdirSync('.').filter((name) => name.endsWith('.test.mjs')).sort((one, other) => statSync(other).size - statSync(one).size);

run({ files, concurrency: availableParallelism() })
  .on('test:fail', () => { process.exitCode = 1; })
  .compose(new spec())
  .pipe(process.stdout);
