/** Starts a registry on the loopback that requires a password. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from './wait.ts';

const program = '/usr/bin/docker-registry';

export const registryUser = 'podscope';
export const registryPassword = 'sesame-open';
const passwordHash = '$2b$05$nWR9ecddmW.hYX.MkBsb/OuT/L8Fb3ERHHNIGYw9DaxV/7uZG4PAm';

/** A running registry. */
export interface PrivateRegistry {
  /** The address `127.0.0.1:<port>`. Docker uses HTTP without TLS for loopback addresses. */
  readonly address: string;
  stop(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve));

/**
 * Starts a registry.
 * @throws Error if it doesn't start within a minute, or if a package is missing, which the error names
 */
export async function privateRegistry(): Promise<PrivateRegistry> {
  if (!existsSync(program))
    throw new Error(
      `${program} is not there: install Debian's package docker-registry (apt-get install docker-registry)`,
    );
  const directory = await mkdtemp(join(tmpdir(), 'registry-'));
  const address = `127.0.0.1:${await freePort()}`;
  const configuration = {
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(directory, 'data') } },
    http: { addr: address },
    auth: { htpasswd: { realm: 'test', path: join(directory, 'htpasswd') } },
  };
  await writeFile(join(directory, 'htpasswd'), `${registryUser}:${passwordHash}\n`);
  // The configuration is JSON, which is also valid YAML.
  await writeFile(join(directory, 'config.yml'), JSON.stringify(configuration));
  const child = spawn(program, ['serve', join(directory, 'config.yml')], { stdio: 'ignore' });
  await waitUntil(
    async () => (await fetch(`http://${address}/v2/`).catch(() => undefined))?.status === 401,
    'the registry',
  );
  return {
    address,
    async stop() {
      const gone = ended(child);
      child.kill();
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
