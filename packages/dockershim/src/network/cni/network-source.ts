/**
 * Provides the current network, which is the first valid configuration in the directory. The directory is read again
 * when it changes.
 */
import { stat } from 'node:fs/promises';
import { errorMessage } from '@podscope/base';
import type { Context } from '@podscope/trace';
import { type CniNetwork, configurationFiles, readNetwork } from './config.ts';
import type { CniLibrary } from './library.ts';

/** Reads the current network from a directory. */
export class NetworkSource {
  readonly #directory: string;
  readonly #library: CniLibrary;
  #network: CniNetwork | undefined;
  #problem = '';
  #signature: string | undefined;

  constructor(directory: string, library: CniLibrary) {
    this.#directory = directory;
    this.#library = library;
  }

  /** The reason why no network is available; empty if a network is available. */
  get problem(): string {
    return this.#network ? '' : this.#problem;
  }

  /**
   * Returns the current network. If the configuration has become invalid, returns the last valid network. Upstream:
   * syncNetworkConfig, getDefaultCNINetwork (v1.20).
   */
  async current(ctx: Context): Promise<CniNetwork | undefined> {
    const files = await configurationFiles(this.#directory);
    const signature = await signatureOf(files);
    if (signature === this.#signature) return this.#network;
    this.#signature = signature;
    const problems: string[] = [];
    for (const file of files) {
      try {
        const network = await readNetwork(file);
        await this.#library.validate(ctx, network);
        this.#network = network;
        return network;
      } catch (error) {
        problems.push(`${file}: ${errorMessage(error)}`);
      }
    }
    this.#problem =
      files.length === 0
        ? `no networks found in ${this.#directory}`
        : `no valid networks found in ${this.#directory}: ${problems.join('; ')}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `CNI: ${this.#problem}` });
    return this.#network;
  }
}

async function signatureOf(files: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs, size, ino }) => `${file} ${mtimeMs} ${size} ${ino}`,
        () => file,
      ),
    ),
  );
  return parts.join('\n');
}
