/** Starts a registry on the loopback. Docker uses HTTP without TLS for loopback addresses. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@podscope/base';
import { waitUntil } from './wait.ts';

const program = '/usr/bin/docker-registry';

/** A running registry. */
export interface RegistryProcess {
  /** `127.0.0.1:34567` */
  readonly address: string;
  /** Ends the registry and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts Debian's docker-registry on a port that the kernel chooses.
 * @param passwords the content of an htpasswd file with bcrypt hashes. Default: no login is required
 * @throws Error if the package is missing, or with the registry's output if the registry doesn't listen within two
 * minutes
 */
export async function startRegistryProcess(passwords?: string): Promise<RegistryProcess> {
  if (!existsSync(program))
    throw new Error(
      `${program} is not there: install Debian's package docker-registry (apt-get install docker-registry)`,
    );
  const directory = await mkdtemp(join(tmpdir(), 'registry-'));
  const passwordFile = join(directory, 'htpasswd');
  if (passwords !== undefined) await writeFile(passwordFile, passwords);
  const configuration = {
    version: '0.1',
    // The registry logs its address with the level info.
    log: { level: 'info', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(directory, 'data') } },
    http: { addr: '127.0.0.1:0' },
    ...(passwords === undefined ? {} : { auth: { htpasswd: { realm: 'test', path: passwordFile } } }),
  };
  // The configuration is JSON, which is also valid YAML.
  await writeFile(join(directory, 'config.yml'), JSON.stringify(configuration));
  const child = spawn(program, ['serve', join(directory, 'config.yml')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const address = (): string | undefined => /listening on (127\.0\.0\.1:\d+)\D/.exec(output)?.[1];
  try {
    await waitUntil(() => {
      if (child.exitCode !== null) throw new Error(`docker-registry ended with ${child.exitCode}`);
      return address() !== undefined;
    }, 'the address of docker-registry');
  } catch (error) {
    await stop();
    throw new Error(`${errorMessage(error)}:\n${output}`, { cause: error });
  }
  return { address: address() ?? '', stop };
}
