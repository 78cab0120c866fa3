/** The pod's directory just before its manifest was removed: names and kinds; which files a container has written is its own affair. */
import type { Compare } from './compare.ts';

const randomNames = (text: string): string => text.replace(/(\/containers\/[^/]+\/)[0-9a-f]{8}\b/, '$1<rand>').replace(/\/\.\.\d{4}_[^/]+/, '/<time>');

/** What a container wrote into a volume is not the kubelet's. */
const depth = /\/volumes\/[^/]+\/[^/]+\//;

/** Without the bit for the group of a volume, which not every tool shows. */
const permissions = (mode = ''): string => mode.slice(-3);

export const compareLayout: Compare = ({ recording, seen, normalize }) => {
  const recorded = recording.layout?.podDir;
  if (!recorded || recorded.length === 0 || seen.podDir.length === 0) return [];
  const line = ({ path, type, mode }: { readonly path: string; readonly type: string; readonly mode?: string | undefined }): string =>
    `${type} ${randomNames(normalize(path))} ${permissions(mode)}`;
  const there = new Set(recorded.map(line).filter((text) => !depth.test(text)));
  const here = new Set(seen.podDir.map(line).filter((text) => !depth.test(text)));
  return [
    ...[...there].filter((text) => !here.has(text)).map((text) => `directory only in the recording: ${text}`),
    ...[...here].filter((text) => !there.has(text)).map((text) => `directory only here: ${text}`),
  ];
};
