// The real binary with an empty database, and an admin to prepare what the browser is to see.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** The pairs of engines that the tests run on. script/with-services provides the second one. */
export const pairs = ['SQLite and memory', ...(process.env.TEST_POSTGRES_URL ? ['PostgreSQL and Redis'] : [])];

const psql = (sql) => execFileSync('psql', [process.env.TEST_POSTGRES_URL, '-qAt', '-v', 'ON_ERROR_STOP=1', '-c', sql], { encoding: 'utf8' });

/** Variables for an empty database of the pair, and a way to run SQL in it (PostgreSQL only). */
function freshDatabase(pair) {
  if (pair !== 'PostgreSQL and Redis') return { variables: {}, drop() {} };
  const schema = `browser_${process.pid}_${Date.now()}`;
  psql(`CREATE SCHEMA ${schema}`);
  return {
    variables: {
      DATABASE_URL: `${process.env.TEST_POSTGRES_URL}?options=-csearch_path%3D${schema}`,
      CACHE_URL: process.env.TEST_REDIS_URL,
      CACHE_TIMEOUT_MS: '5000', // two browsers keep the machine busy
    },
    sql: (text) => psql(`SET search_path = ${schema}; ${text}`),
    drop: () => psql(`SET client_min_messages = warning; DROP SCHEMA ${schema} CASCADE`),
  };
}

/**
 * `variables` are environment variables; PUBLIC_BASE_URL chooses the address, which is otherwise any free one.
 * `withDemo`: the server has the demo shop instead of an empty database. `pair`: one of `pairs`.
 */
export async function startServer(variables, { withDemo = false, pair = pairs[0] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-browser-'));
  const database = freshDatabase(pair);
  const url = variables.PUBLIC_BASE_URL ?? `http://127.0.0.1:${await freePort()}`;
  const env = {
    PATH: process.env.PATH,
    SERVICE_ENV: 'production',
    LISTEN_ADDR: new URL(url).host,
    PUBLIC_BASE_URL: url,
    METRICS_ADDR: 'off',
    DATA_DIR: folder,
    SESSION_SIGNING_SECRET: 'a session secret of the browser tests',
    SERVICE_MASTER_KEY: 'a master key of the browser tests that is long',
    INVOICE_LINK_SIGNING_SECRET: 'an invoice secret of the browser tests',
    LOCAL_AUTH_ENABLED: 'true',
    LOCAL_ADMIN_PASSWORD: 'correct horse',
    LOG_LEVEL: 'warn',
    ...database.variables,
    ...variables,
  };
  if (withDemo) {
    const demo = spawnSync(process.env.GUILDHALL_BINARY, ['demo'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    if (demo.status !== 0) throw new Error('the demo shop cannot be made');
  }
  let child, ended;
  let printed = '';
  async function start() {
    child = spawn(process.env.GUILDHALL_BINARY, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (text) => { printed += text; });
    ended = new Promise((resolve) => child.once('exit', resolve));
    for (let tries = 0; ; ++tries) {
      const ready = await fetch(`${url}/readyz`).then((reply) => reply.ok, () => false);
      if (ready) break;
      if (tries > 300 || child.exitCode !== null) throw new Error('the server does not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  async function end() {
    child.kill('SIGTERM');
    await ended;
  }
  await start();
  return {
    url,
    /** What the server has printed, such as the link of the first owner. */
    printed: () => printed,
    /** Runs SQL in the database (PostgreSQL only). */
    sql: database.sql,
    /** Stops the server, calls `meanwhile`, and starts it again at the same address with the same data. */
    async restart(meanwhile = async () => {}) {
      await end();
      await meanwhile();
      await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
      database.drop();
    },
  };
}

export async function signIn(url, tenantId = 'default') {
  const reply = await fetch(`${url}/auth/local/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'correct horse', tenantId }),
  });
  const cookie = reply.headers.get('set-cookie').split(';')[0];
  return async (method, path, body) => {
    const isPicture = body instanceof Uint8Array;
    const type = isPicture ? 'image/png' : 'application/json';
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': type }) },
      body: body === undefined || isPicture ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}
