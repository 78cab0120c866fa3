/**
 * Recursively read-only mounts: no file system below is left writable. Docker 25 makes them; on older engines each file system that lies below
 * is bound read-only by itself, and nothing else of what lies below is bound at all, so that none can slip in writable.
 */
import { readFile, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { CriError, type Mount } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { DockerMount } from '../docker/create-body.ts';
import { compareApiVersions } from '../docker/transport.ts';
import { exists } from '../files.ts';
import { labelKeys } from '../labels.ts';
import type { Shim } from '../shim.ts';

/** Docker 25. */
const forcedSince = '1.44';

/** Which mounts were made recursively read-only, by their path in the container, and the paths below that were bound for it. */
export type RecursiveMounts = Readonly<Record<string, readonly string[]>>;

/** True where the engine, or we for it, can make such mounts. */
export const canMountRecursively = ({ docker, engine }: Pick<Shim, 'docker' | 'engine'>): boolean =>
  compareApiVersions(docker.apiVersion, forcedSince) >= 0 || engine.isLocal;

/** @throws CriError InvalidArgument for what CRI rules out. */
function check({ hostPath = '', readonly, propagation = 'PROPAGATION_PRIVATE' }: Mount): void {
  const wrong = !readonly ? 'it is not read-only' : propagation === 'PROPAGATION_PRIVATE' ? '' : `its propagation is ${propagation}`;
  if (wrong) throw new CriError('InvalidArgument', `recursive read-only mount of ${goQuote(hostPath)} is refused: ${wrong}`);
}

/** The bind mounts of one recursively read-only mount. @param others mounts of the same container, which go before what lies below */
async function bindsOf(shim: Pick<Shim, 'docker' | 'engine'>, mount: Mount, others: readonly Mount[]): Promise<DockerMount[]> {
  const { hostPath: Source = '', containerPath: Target } = mount;
  if (compareApiVersions(shim.docker.apiVersion, forcedSince) >= 0) {
    return [{ Type: 'bind', Source, Target, ReadOnly: true, BindOptions: { Propagation: 'rprivate', ReadOnlyForceRecursive: true } }];
  }
  if (!shim.engine.isLocal) {
    const text = `recursive read-only mount of ${goQuote(Source)} is refused: this engine makes none (Docker 25 does), and it is not on this machine`;
    throw new CriError('FailedPrecondition', text);
  }
  const BindOptions = { Propagation: 'private', NonRecursive: true };
  const taken = new Set(others.map(({ containerPath }) => posix.normalize(containerPath)));
  const below = (await mountPointsBelow(Source))
    .map((path): DockerMount => ({ Type: 'bind', Source: posix.join(Source, path), Target: posix.join(Target, path), ReadOnly: true, BindOptions }))
    .filter((each) => !taken.has(each.Target));
  // What another mount covers is not there to be bound.
  const reachable = await Promise.all(below.map(async (each) => ((await exists(each.Source)) ? [each] : [])));
  return [{ Type: 'bind', Source, Target, ReadOnly: true, BindOptions }, ...reachable.flat()];
}

/** All recursively read-only mounts among `mounts`, as the engine takes them, and the note on them that their container carries. */
export async function recursiveMounts(
  shim: Pick<Shim, 'docker' | 'engine'>,
  mounts: readonly Mount[] = [],
): Promise<{ readonly mounts: readonly DockerMount[]; readonly labels: Readonly<Record<string, string>> }> {
  const wanted = mounts.filter(({ recursiveReadOnly }) => recursiveReadOnly);
  wanted.forEach(check);
  if (wanted.length === 0) return { mounts: [], labels: {} };
  const made = await Promise.all(
    wanted.map((mount) =>
      bindsOf(
        shim,
        mount,
        mounts.filter((each) => each !== mount),
      ),
    ),
  );
  const note: RecursiveMounts = Object.fromEntries(made.map(([first, ...below]) => [first?.Target ?? '', below.map(({ Target }) => Target)]));
  return { mounts: made.flat(), labels: { [labelKeys.recursiveReadOnly]: JSON.stringify(note) } };
}

/** The note of a container. */
export function recursiveMountsOf(labels: Readonly<Record<string, string>>): RecursiveMounts {
  const note = labels[labelKeys.recursiveReadOnly];
  // Our own text, on a container that only we make.
  return note === undefined ? {} : (JSON.parse(note) as RecursiveMounts);
}

/** Where something is mounted below a directory of this machine, relative to it. */
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

/** Blanks, tabs, line feeds and backslashes stand in octal. */
const unescape = (text: string): string => text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
