/** Records which containers a test run creates, and finds those that still exist at its end. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

const instanceLabel = 'io.podscope.instance';
/** Maximum depth of a server's state directory below the run's directory. */
const maxDepth = 4;

const eventSchema = z.object({ Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()) }) });

/** Returns undefined if the text isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the ids of the servers whose state is in a directory. */
export async function instancesIn(directory: string, depth = 0): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isFile() && entry.name === 'instance') found.push((await readFile(path, 'utf8').catch(() => '')).trim());
    else if (entry.isDirectory() && depth < maxDepth) found.push(...(await instancesIn(path, depth + 1)));
  }
  return found;
}

/**
 * Returns true for an instance of a test that uses dockershim itself. The instances of these tests are named after the
 * run's directory.
 */
const isNamedAfter = (instance: string, runName: string): boolean => instance.startsWith(`test-${runName}-`);

/**
 * Records containers from the engine's events. A container belongs to the run if, at that moment, its server's state is
 * in the run's directory.
 */
export class CreatedContainers {
  readonly #directory: string;
  readonly #events: ChildProcess;
  readonly #ours = new Set<string>();
  readonly #instances = new Map<string, Promise<boolean>>();
  readonly #pending = new Set<Promise<void>>();

  constructor(directory: string) {
    this.#directory = directory;
    const filters = ['type=container', 'event=create', `label=${instanceLabel}`].flatMap((filter) => [
      '--filter',
      filter,
    ]);
    this.#events = spawn('docker', ['events', '--format', '{{json .}}', ...filters], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Without an engine, no container can be created, so the error is ignored.
    this.#events.once('error', () => undefined);
    if (this.#events.stdout) createInterface(this.#events.stdout).on('line', (line) => this.#hear(line));
  }

  #hear(line: string): void {
    // The last line is incomplete if the program was killed while it wrote.
    const event = parseJson(line);
    if (event === undefined) return;
    const { ID, Attributes } = eventSchema.parse(event).Actor;
    const instance = Attributes[instanceLabel] ?? '';
    const known = this.#instances.get(instance) ?? this.#isOurs(instance);
    this.#instances.set(instance, known);
    const noting = known.then((isOurs) => {
      if (isOurs) this.#ours.add(ID);
    });
    this.#pending.add(noting);
    void noting.finally(() => this.#pending.delete(noting));
  }

  async #isOurs(instance: string): Promise<boolean> {
    return isNamedAfter(instance, basename(this.#directory)) || (await instancesIn(this.#directory)).includes(instance);
  }

  stop(): void {
    this.#events.kill();
  }

  /** Returns the names of the run's containers that still exist. */
  async left(): Promise<readonly string[]> {
    await Promise.all(this.#pending);
    return (await listContainers()).filter(({ id }) => this.#ours.has(id)).map(({ name }) => name);
  }
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly instance: string;
}

async function listContainers(): Promise<readonly Listed[]> {
  const format = `{{.ID}}\t{{.Names}}\t{{.Label "${instanceLabel}"}}`;
  const { stdout } = await run('docker', [
    'ps',
    '--all',
    '--no-trunc',
    '--filter',
    `label=${instanceLabel}`,
    '--format',
    format,
  ]).catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [id = '', name = '', instance = ''] = line.split('\t');
      return { id, name, instance };
    });
}

/** Removes the containers of `instances`, and of every instance that is named after the test run. */
export async function removeContainersOf(instances: ReadonlySet<string>, runName: string): Promise<void> {
  const ids = (await listContainers())
    .filter(({ instance }) => instances.has(instance) || isNamedAfter(instance, runName))
    .map(({ id }) => id);
  if (ids.length > 0) await run('docker', ['rm', '--force', '--volumes', ...ids]).catch(() => undefined);
}
