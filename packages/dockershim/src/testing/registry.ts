/** Starts a registry on the loopback. Docker uses HTTP without TLS for loopback addresses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
 * @throws Error if the package is missing, or with the registry's output if the registry ends before it listens
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
  const ended = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    const read = (chunk: string): void => {
      output += chunk;
      const [, found] = /listening on (127\.0\.0\.1:\d+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`docker-registry ended with ${code ?? signal}:\n${output}`)));
  });
  return {
    address,
    async stop() {
      child.kill();
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
