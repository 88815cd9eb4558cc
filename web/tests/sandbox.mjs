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
  const child = spawn(process.env.GUILDHALL_BINARY, ['sandbox', '--port', String(port), '--server', server], {
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
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Both processes, connected with each other. */
export async function startSandboxedServer() {
  const url = `http://127.0.0.1:${await freePort()}`;
  const sandbox = await startSandbox(url);
  try {
    const server = await startServer({ SERVICE_ENV: 'development', RATE_LIMIT_DISABLED: 'true', ...await sandbox.read('/sandbox/env') });
    return { sandbox, server };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}
