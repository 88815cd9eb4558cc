// The real binary with an empty database, and an admin to prepare what the browser is to see.
import { spawn, spawnSync } from 'node:child_process';
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

/**
 * `variables` are environment variables; PUBLIC_BASE_URL chooses the address, which is otherwise any free one.
 * `withDemo`: the server has the demo shop instead of an empty database.
 */
export async function startServer(variables, { withDemo = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-browser-'));
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
    LOG_LEVEL: 'error',
    ...variables,
  };
  if (withDemo) {
    const demo = spawnSync(process.env.GUILDHALL_BINARY, ['demo'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    if (demo.status !== 0) throw new Error('the demo shop cannot be made');
  }
  const child = spawn(process.env.GUILDHALL_BINARY, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => { printed += text; });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; ; ++tries) {
    const ready = await fetch(`${url}/readyz`).then((reply) => reply.ok, () => false);
    if (ready) break;
    if (tries > 300 || child.exitCode !== null) throw new Error('the server does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    /** What the server has printed, such as the link of the first owner. */
    printed: () => printed,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
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
