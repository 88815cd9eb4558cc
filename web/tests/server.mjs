// The real binary with an empty database, and an admin to prepare what the browser is to see.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function freePort() {
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
    variables: { DATABASE_URL: `${process.env.TEST_POSTGRES_URL}?options=-csearch_path%3D${schema}`, CACHE_URL: process.env.TEST_REDIS_URL },
    sql: (text) => psql(`SET search_path = ${schema}; ${text}`),
    drop: () => psql(`SET client_min_messages = warning; DROP SCHEMA ${schema} CASCADE`),
  };
}

export async function startServer(variables, pair = pairs[0]) {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-browser-'));
  const database = freshDatabase(pair);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PATH: process.env.PATH,
    SERVICE_ENV: 'production',
    LISTEN_ADDR: `127.0.0.1:${port}`,
    PUBLIC_BASE_URL: url,
    METRICS_ADDR: 'off',
    DATA_DIR: folder,
    SESSION_SIGNING_SECRET: 'a session secret of the browser tests',
    SERVICE_MASTER_KEY: 'a master key of the browser tests, long',
    INVOICE_LINK_SIGNING_SECRET: 'an invoice secret of the browser tests',
    LOCAL_AUTH_ENABLED: 'true',
    LOCAL_ADMIN_PASSWORD: 'correct horse',
    LOG_LEVEL: 'error',
    ...database.variables,
    ...variables,
  };
  let child, ended;
  async function start() {
    child = spawn(process.env.GUILDHALL_BINARY, ['serve'], { env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
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

export async function signIn(url) {
  const reply = await fetch(`${url}/auth/local/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'correct horse', tenantId: 'default' }),
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
