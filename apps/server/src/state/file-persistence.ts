/** Persists API objects as files with one JSON document each. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectPersistence } from '@podscope/apiserver';
import type { KubernetesObject } from '@podscope/k8s';
import { z } from 'zod';
import { writePrivately } from './state-directory.ts';

/** The fields that identify an object. All other fields are kept unchecked and unchanged. */
const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional(), uid: z.string() }),
});

/** File systems limit names to 255 bytes. */
const longestName = 200;

/**
 * Returns the file name for a key: `pods/default/web` becomes `pods_default_web.json`. Kubernetes names contain no
 * underscores.
 */
export function fileNameOf(key: string): string {
  const name = key.replaceAll('/', '_');
  if (name.length <= longestName) return `${name}.json`;
  return `${name.slice(0, longestName - 65)}_${createHash('sha256').update(key).digest('hex')}.json`;
}

/** Stores each object as a file in a directory. */
export class FilePersistence implements ObjectPersistence {
  readonly #directory: string;
  readonly #warn: (message: string) => void;

  /** @param warn called for each invalid file, which is then renamed */
  constructor(directory: string, warn: (message: string) => void) {
    this.#directory = directory;
    this.#warn = warn;
  }

  async load(): Promise<readonly KubernetesObject[]> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const objects: KubernetesObject[] = [];
    for (const name of (await readdir(this.#directory)).toSorted()) {
      const file = join(this.#directory, name);
      // A temporary file is left over if the server was killed while writing.
      if (name.endsWith('.tmp')) await rm(file, { force: true });
      else if (name.endsWith('.json')) {
        const object = await this.#read(file);
        if (object) objects.push(object);
      }
    }
    return objects;
  }

  async put(key: string, object: KubernetesObject): Promise<void> {
    await writePrivately(join(this.#directory, fileNameOf(key)), `${JSON.stringify(object, undefined, 1)}\n`);
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.#directory, fileNameOf(key)), { force: true });
  }

  async #read(file: string): Promise<KubernetesObject | undefined> {
    try {
      return objectSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch (error) {
      this.#warn(
        `${file} is not an object of the API (${(error as Error).message.split('\n')[0]}): kept as ${file}.broken`,
      );
      await rename(file, `${file}.broken`);
      return undefined;
    }
  }
}
