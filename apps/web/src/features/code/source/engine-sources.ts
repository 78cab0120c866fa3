/** Loads the engine's source files as they were at the build. Each file is a separate chunk. */

const files = import.meta.glob<string>(
  [
    '../../../../../../packages/{kubelet,kuberuntime,cri,dockershim,simulated-runtime}/src/**/*.ts',
    '!../../../../../../packages/*/src/**/*.test.ts',
    '!../../../../../../packages/*/src/**/testing/**',
    '!../../../../../../packages/*/src/**/proto/**',
  ],
  { query: '?raw', import: 'default' },
);

const toPath = (key: string): string => key.replace(/^(?:\.\.\/)+/, '');

const loaders = new Map(Object.entries(files).map(([key, load]) => [toPath(key), load]));

/** Paths from the root of the repository, sorted. */
export const enginePaths: readonly string[] = [...loaders.keys()].toSorted();

/** Returns the text of a file. @throws Error when the page doesn't contain it */
export async function loadSource(path: string): Promise<string> {
  const load = loaders.get(path);
  if (!load) throw new Error(`${path} is not part of this page`);
  return load();
}
