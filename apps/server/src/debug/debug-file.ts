/** Persists breakpoints, filters and fault plans in a file of the state directory. */
import { readFile } from 'node:fs/promises';
import type { DebugPersistence } from '@podscope/debugger';
import { writePrivately } from '../state/state-directory.ts';

/**
 * Returns a persistence for one JSON document.
 * @param warn called for an unreadable file, which stays unchanged until the next write
 */
export function debugFile(file: string, warn: (message: string) => void): DebugPersistence {
  return {
    load: async () => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') warn(`${file} cannot be read: ${error.message}`);
        return undefined;
      });
      if (text === undefined) return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        warn(`${file} is not JSON: starting without breakpoints and fault plans`);
        return undefined;
      }
    },
    save: (state) => writePrivately(file, `${JSON.stringify(state, undefined, 1)}\n`),
  };
}
