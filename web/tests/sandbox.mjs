// The sandbox of the real binary, and a server that uses it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startServer } from './server.mjs';

async function startSandbox(server) {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-sandbox-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.env.GUILDHALL_BINARY, ['sandbox', '--port', String(port), '--mail-port', String(await freePort()), '--server', server, '--delay', '0'], {
    env: { PATH: process.env.PATH, SERVICE_ENV: 'development', DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const read = async (path) => (await fetch(url + path)).json();
  for (let tries = 0; ; ++tries) {
    const ready = await read('/sandbox/state').then(() => true, () => false);
    if (ready) break;
    if (tries > 300 || child.exitCode !== null) throw new Error('the sandbox does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    read,
    /** Uses the control interface, as the sandbox's page does. */
    async control(method, path, body) {
      const reply = await fetch(`${url}/sandbox${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Both processes, connected with each other. `uses` chooses the parties, by the names of their variables; `variables` are
 * further ones of the server. `withDemo`, `pair`: as for startServer.
 */
export async function startSandboxedServer({ variables = {}, uses = () => true, ...options } = {}) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const sandbox = await startSandbox(url);
  try {
    const all = await sandbox.read('/sandbox/env');
    const used = Object.fromEntries(Object.entries(all).filter(([name]) => uses(name)));
    const server = await startServer({ RATE_LIMIT_DISABLED: 'true', ...used, PUBLIC_BASE_URL: url, ...variables }, options);
    return { sandbox, server, environment: all };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}
