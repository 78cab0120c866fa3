/**
 * Makes recursively read-only mounts: the file systems below the mount are read-only, too. Docker 25 and newer support
 * this. On older engines, dockershim binds the mount without the file systems below it, and then binds each of these
 * file systems read-only.
 */
import { readFile, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { CriError, type Mount } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { DockershimDependencies } from '../../dependencies.ts';
import type { DockerMount } from '../../docker/create-body.ts';
import { compareApiVersions } from '../../docker/transport.ts';
import { exists } from '../../engine/local-files.ts';
import { labelKeys } from '../../objects/labels.ts';

/** The API version of Docker 25. */
const forcedSince = '1.44';

/**
 * The recursively read-only mounts of a container by path. Each value lists the mounts below this path that were bound
 * as well.
 */
export type RecursiveMounts = Readonly<Record<string, readonly string[]>>;

/**
 * Returns true if recursively read-only mounts are possible: the engine supports them, or dockershim can bind the file
 * systems below a mount itself.
 */
export const canMountRecursively = ({ docker, engine }: Pick<DockershimDependencies, 'docker' | 'engine'>): boolean =>
  compareApiVersions(docker.apiVersion, forcedSince) >= 0 || engine.isLocal;

/**
 * Checks CRI's conditions for a recursively read-only mount.
 * @throws CriError InvalidArgument if one isn't met
 */
function check({ hostPath = '', readonly, propagation = 'PROPAGATION_PRIVATE' }: Mount): void {
  const wrong = !readonly
    ? 'it is not read-only'
    : propagation === 'PROPAGATION_PRIVATE'
      ? ''
      : `its propagation is ${propagation}`;
  if (wrong)
    throw new CriError('InvalidArgument', `recursive read-only mount of ${goQuote(hostPath)} is refused: ${wrong}`);
}

/**
 * Returns the bind mounts that make one recursively read-only mount.
 * @param others the container's other mounts, which take precedence over the binds of nested file systems
 */
async function bindsOf(
  dependencies: Pick<DockershimDependencies, 'docker' | 'engine'>,
  mount: Mount,
  others: readonly Mount[],
): Promise<DockerMount[]> {
  const { hostPath: Source = '', containerPath: Target } = mount;
  if (compareApiVersions(dependencies.docker.apiVersion, forcedSince) >= 0) {
    return [
      {
        Type: 'bind',
        Source,
        Target,
        ReadOnly: true,
        BindOptions: { Propagation: 'rprivate', ReadOnlyForceRecursive: true },
      },
    ];
  }
  if (!dependencies.engine.isLocal) {
    const text =
      `recursive read-only mount of ${goQuote(Source)} is refused: this engine makes none (Docker 25 does), and ` +
      'it is not on this machine';
    throw new CriError('FailedPrecondition', text);
  }
  const BindOptions = { Propagation: 'private', NonRecursive: true };
  const taken = new Set(others.map(({ containerPath }) => posix.normalize(containerPath)));
  const below = (await mountPointsBelow(Source))
    .map(
      (path): DockerMount => ({
        Type: 'bind',
        Source: posix.join(Source, path),
        Target: posix.join(Target, path),
        ReadOnly: true,
        BindOptions,
      }),
    )
    .filter((each) => !taken.has(each.Target));
  // A file system can't be bound if another mount covers it.
  const reachable = await Promise.all(below.map(async (each) => ((await exists(each.Source)) ? [each] : [])));
  return [{ Type: 'bind', Source, Target, ReadOnly: true, BindOptions }, ...reachable.flat()];
}

/** Returns Docker's form of the recursively read-only mounts among `mounts`, and the label that records them. */
export async function recursiveMounts(
  dependencies: Pick<DockershimDependencies, 'docker' | 'engine'>,
  mounts: readonly Mount[] = [],
): Promise<{ readonly mounts: readonly DockerMount[]; readonly labels: Readonly<Record<string, string>> }> {
  const wanted = mounts.filter(({ recursiveReadOnly }) => recursiveReadOnly);
  wanted.forEach(check);
  if (wanted.length === 0) return { mounts: [], labels: {} };
  const made = await Promise.all(
    wanted.map((mount) =>
      bindsOf(
        dependencies,
        mount,
        mounts.filter((each) => each !== mount),
      ),
    ),
  );
  const note: RecursiveMounts = Object.fromEntries(
    made.map(([first, ...below]) => [first?.Target ?? '', below.map(({ Target }) => Target)]),
  );
  return { mounts: made.flat(), labels: { [labelKeys.recursiveReadOnly]: JSON.stringify(note) } };
}

/** Returns the recursively read-only mounts that a container's labels record. */
export function recursiveMountsOf(labels: Readonly<Record<string, string>>): RecursiveMounts {
  const note = labels[labelKeys.recursiveReadOnly];
  // The text is valid JSON, because only dockershim writes this label.
  return note === undefined ? {} : (JSON.parse(note) as RecursiveMounts);
}

/** Returns the mount points below a directory of this machine, as paths relative to the directory. */
export async function mountPointsBelow(directory: string, table?: string): Promise<string[]> {
  const real = await realpath(directory).catch(() => directory);
  const inside = real === '/' ? '/' : `${real}/`;
  const points = (table ?? (await readFile('/proc/self/mountinfo', 'utf8')))
    .split('\n')
    .map((line) => unescape(line.split(' ')[4] ?? ''))
    .filter((point) => point !== inside && point.startsWith(inside))
    .map((point) => posix.relative(real, point));
  return [...new Set(points)].toSorted();
}

/** Replaces the octal escapes that mountinfo uses for spaces, tabs, line feeds and backslashes. */
const unescape = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
