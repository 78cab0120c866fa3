/** The engine's own source, as it stood when this page was built: each file a chunk of its own, loaded when it is looked at. */

const files = import.meta.glob<string>(
  [
    '../../../../packages/{kubelet,kuberuntime,cri,dockershim,simulator}/src/**/*.ts',
    // Each from where the first begins: a pattern without that begins in this folder.
    '!../../../../packages/*/src/**/*.test.ts',
    '!../../../../packages/*/src/**/testing/**',
    '!../../../../packages/*/src/**/proto/**',
  ],
  { query: '?raw', import: 'default' },
);

const toPath = (key: string): string => key.replace(/^(?:\.\.\/)+/, '');

const loaders = new Map(Object.entries(files).map(([key, load]) => [toPath(key), load]));

/** Paths from the root of the repository, in their order. */
export const enginePaths: readonly string[] = [...loaders.keys()].toSorted();

/** The text of a file. @throws Error when the page has no such file */
export async function loadSource(path: string): Promise<string> {
  const load = loaders.get(path);
  if (!load) throw new Error(`${path} is not part of this page`);
  return load();
}
