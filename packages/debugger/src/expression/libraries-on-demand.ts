/**
 * Loads the libraries that expressions need when a browser uses the first expression. These libraries are a tenth of
 * the size of the engine's script and a fifth of its start time.
 */
import type { Libraries } from './libraries.ts';

let loaded: Libraries | undefined;

/** Resolves when expressions can be parsed. @throws Error if a library can't be loaded */
export async function loadLibraries(): Promise<void> {
  if (loaded) return;
  const [{ Environment }, { RE2JS }] = await Promise.all([import('@marcbachmann/cel-js'), import('re2js')]);
  loaded = { Environment, RE2JS };
}

/** Returns true when expressions can be parsed. */
export const areLibrariesLoaded = (): boolean => loaded !== undefined;

/** Returns the libraries. @throws Error before {@link loadLibraries} has resolved */
export function libraries(): Libraries {
  if (loaded) return loaded;
  throw new Error('the libraries for expressions are not loaded: reload the page when the network is available');
}
