/**
 * Compares the pod's directory just before the manifest was removed: names, kinds and permissions. Files that a
 * container wrote into a volume aren't compared.
 */
import type { Compare } from './comparison.ts';

const randomNames = (text: string): string =>
  text.replace(/(\/containers\/[^/]+\/)[0-9a-f]{8}\b/, '$1<rand>').replace(/\/\.\.\d{4}_[^/]+/, '/<time>');

/** Matches paths inside a volume. */
const depth = /\/volumes\/[^/]+\/[^/]+\//;

/** Omits the setgid bit of a volume, which not every tool shows. */
const permissions = (mode = ''): string => mode.slice(-3);

/**
 * The directory of the pod's volumes. The kubelet creates it with mode 0750, and the set-up of an emptyDir with 0755;
 * which of them runs first is a race.
 */
const volumesDirectory = /\/pods\/[^/]+\/volumes$/;
const isRacyMode = (path: string, mode: string): boolean => volumesDirectory.test(path) && /^75[05]$/.test(mode);

export const compareLayout: Compare = ({ recording, seen, normalize }) => {
  const recorded = recording.layout?.podDir;
  if (!recorded || recorded.length === 0 || seen.podDir.length === 0) return [];
  const line = ({
    path,
    type,
    mode,
  }: {
    readonly path: string;
    readonly type: string;
    readonly mode?: string | undefined;
  }): string =>
    `${type} ${randomNames(normalize(path))} ${isRacyMode(path, permissions(mode)) ? '75?' : permissions(mode)}`;
  const there = new Set(recorded.map(line).filter((text) => !depth.test(text)));
  const here = new Set(seen.podDir.map(line).filter((text) => !depth.test(text)));
  return [
    ...[...there].filter((text) => !here.has(text)).map((text) => `directory only in the recording: ${text}`),
    ...[...here].filter((text) => !there.has(text)).map((text) => `directory only here: ${text}`),
  ];
};
