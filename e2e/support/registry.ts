/** Starts a registry, with or without a login, and copies images from the local engine to it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistryProcess } from '@podscope/dockershim/testing/registry';
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

interface RegistryOptions {
  /** True to require a random user and password. */
  readonly auth?: boolean;
  /** The user and password that the registry requires. */
  readonly login?: { readonly username: string; readonly password: string } | undefined;
}

/** Starts a registry. @throws Error with the registry's output if it ends before it listens */
export async function startRegistry({ auth = false, login }: RegistryOptions = {}): Promise<Registry> {
  const credentials = login ?? (auth ? { username: 'student', password: randomBytes(12).toString('hex') } : undefined);
  const registry = await startRegistryProcess(
    credentials && `${credentials.username}:${await hash(credentials.password, 5)}\n`,
  );
  const host = registry.address;
  const auths = credentials
    ? { [host]: { auth: Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64') } }
    : {};
  const configDirectory = await mkdtemp(join(tmpdir(), 'podscope-registry-'));
  await writeFile(join(configDirectory, 'config.json'), JSON.stringify({ auths }));
  return {
    host,
    credentials,
    async push(image, name) {
      const reference = `${host}/${name}`;
      await docker('tag', image, reference);
      await docker('--config', configDirectory, 'push', '--quiet', reference);
      await docker('rmi', reference);
      return reference;
    },
    async stop() {
      await registry.stop();
      await rm(configDirectory, { recursive: true, force: true });
    },
  };
}
