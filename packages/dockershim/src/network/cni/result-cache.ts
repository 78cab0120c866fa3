/** Stores the results of ADD and their configurations on disk, so that networks can be torn down after a crash. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../engine/local-files.ts';
import { type CniNetwork, parseNetwork } from './config.ts';
import type { CniResult } from './result.ts';

const kind = 'cniCacheV1';
const entrySchema = z.object({
  kind: z.literal(kind),
  containerId: z.string(),
  config: z.string(),
  ifName: z.string(),
  networkName: z.string(),
  cniArgs: z.array(z.tuple([z.string(), z.string()])).optional(),
  capabilityArgs: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()),
});

/** The cached result of one network of a sandbox. */
export interface CachedNetwork {
  readonly containerId: string;
  readonly ifName: string;
  readonly network: CniNetwork;
  readonly args: readonly (readonly [string, string])[];
  readonly capabilityArgs: Readonly<Record<string, unknown>>;
  readonly result: CniResult;
}

/** Stores one file per sandbox, network and interface. Upstream: cacheAdd (libcni). */
export class ResultCache {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = join(directory, 'results');
  }

  async write({ containerId, ifName, network, args, capabilityArgs, result }: CachedNetwork): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const config = Buffer.from(network.text).toString('base64');
    const content = {
      kind,
      containerId,
      config,
      ifName,
      networkName: network.name,
      cniArgs: args,
      capabilityArgs,
      result,
    };
    const target = this.#path(network.name, containerId, ifName);
    await writeDurably(target, JSON.stringify(content), `${basename(target)}.new`);
  }

  /**
   * Returns the cached networks of all sandboxes, or with `containerId` those of one sandbox. Unreadable files are
   * ignored.
   */
  async list(containerId?: string): Promise<CachedNetwork[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const wanted = names.filter(
      (name) => !name.endsWith('.new') && (!containerId || name.includes(`-${containerId}-`)),
    );
    const entries = await Promise.all(wanted.map((name) => read(join(this.#directory, name))));
    return entries.flatMap((entry) => entry ?? []);
  }

  async remove({
    network,
    containerId,
    ifName,
  }: Pick<CachedNetwork, 'network' | 'containerId' | 'ifName'>): Promise<void> {
    await rm(this.#path(network.name, containerId, ifName), { force: true });
  }

  #path(network: string, containerId: string, ifName: string): string {
    return join(this.#directory, `${network}-${containerId}-${ifName}`);
  }
}

async function read(path: string): Promise<CachedNetwork | undefined> {
  try {
    const entry = entrySchema.parse(JSON.parse(await readFile(path, 'utf8')));
    const { containerId, ifName, cniArgs = [], capabilityArgs = {}, result } = entry;
    return {
      containerId,
      ifName,
      network: parseNetwork(Buffer.from(entry.config, 'base64').toString()),
      args: cniArgs,
      capabilityArgs,
      result,
    };
  } catch {
    return undefined;
  }
}
