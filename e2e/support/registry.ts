/**
 * Runs a real registry on a loopback address, with or without a login, and copies images from the local engine to it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from 'bcryptjs';
import { docker } from './docker.ts';

export interface Registry {
  /** `127.0.0.1:34567` */
  readonly host: string;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** Pushes a local image to the registry as `host/name`, and removes that name from the engine. */
  push(image: string, name: string): Promise<string>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Returns a line for an htpasswd file. The registry accepts only bcrypt. */
const htpasswd = async (username: string, password: string): Promise<string> =>
  `${username}:${await hash(password, 5)}\n`;

async function answering(host: string, process: ChildProcess): Promise<void> {
  for (;;) {
    if (process.exitCode !== null) throw new Error(`docker-registry ended with code ${process.exitCode}`);
    const answer = await fetch(`http://${host}/v2/`).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface RegistryOptions {
  /** True to require a random user and password. */
  readonly auth?: boolean;
  /** The user and password that the registry requires. */
  readonly login?: { readonly username: string; readonly password: string } | undefined;
}

/** Starts Debian's docker-registry. */
export async function startRegistry({ auth = false, login }: RegistryOptions = {}): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'podscope-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  const credentials = login ?? (auth ? { username: 'student', password: randomBytes(12).toString('hex') } : undefined);
  const config: Record<string, unknown> = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: host },
    log: { level: 'error' },
  };
  if (credentials) {
    await writeFile(join(folder, 'htpasswd'), await htpasswd(credentials.username, credentials.password));
    config['auth'] = { htpasswd: { realm: 'podscope tests', path: join(folder, 'htpasswd') } };
  }
  await writeFile(join(folder, 'config.yml'), JSON.stringify(config));
  const child = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: 'ignore' });
  await answering(host, child);
  return {
    host,
    credentials,
    async push(image, name) {
      const reference = `${host}/${name}`;
      const configFolder = join(folder, 'docker');
      await docker('tag', image, reference);
      const auths = credentials
        ? { [host]: { auth: Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64') } }
        : {};
      await mkdir(configFolder, { recursive: true });
      await writeFile(join(configFolder, 'config.json'), JSON.stringify({ auths }));
      await docker('--config', configFolder, 'push', '--quiet', reference);
      await docker('rmi', reference);
      return reference;
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
