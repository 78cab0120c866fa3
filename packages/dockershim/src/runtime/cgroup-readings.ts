/**
 * Reads values of a container's cgroup that the engine's API doesn't report: pressure, huge pages, and (in cgroup v2)
 * the peak of the memory usage and the swap usage.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PsiData, PsiStats } from '@podscope/cri';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { exists } from '../engine/local-files.ts';

const resources = ['cpu', 'memory', 'io'] as const;

/** The stall times of each resource: microseconds in total, and as shares of the last 10, 60 and 300 seconds. */
export type Pressure = { readonly [resource in (typeof resources)[number]]?: PsiStats };

interface HugePages {
  /** The size of a huge page, for example `2MB`. */
  readonly pageSize: string;
  readonly usage: number;
  /** The maximum usage in bytes. cgroup v2 doesn't record a maximum, so for v2 the value is the current usage. */
  readonly maxUsage: number;
}

/** The values that were read from one cgroup. A value is absent if the kernel or the cgroup version doesn't have it. */
export interface CgroupReadings {
  readonly pressure: Pressure;
  readonly hugePages: readonly HugePages[];
  /** The highest memory usage so far, in bytes; only in cgroup v2. */
  readonly memoryPeak?: number;
  readonly swap?: number;
}

const mount = '/sys/fs/cgroup';

/** Returns true if this machine has the hugetlb controller. */
export async function countsHugePages(): Promise<boolean> {
  const enabled = await readFile(join(mount, 'cgroup.subtree_control'), 'utf8').catch(() => '');
  return enabled.split(/\s+/).includes('hugetlb') || exists(join(mount, 'hugetlb'));
}

const noReadings: CgroupReadings = { pressure: {}, hugePages: [] };

/** Reads the cgroup of an inspected container; undefined if the container runs on another machine. */
export const cgroupOf = (
  { engine }: Pick<DockershimDependencies, 'engine'>,
  { Id, State }: ContainerInspect,
): Promise<CgroupReadings> =>
  engine.isLocal && State.Pid > 0 ? readCgroup(State.Pid, Id) : Promise.resolve(noReadings);

/**
 * Reads the cgroup of a pod, if the caller has created one. The pod's cgroup is the parent of the sandbox's cgroup and
 * has the pod's uid in its name. A parent with another name is shared with other pods, so it isn't read.
 */
export async function podCgroupOf(
  { engine }: Pick<DockershimDependencies, 'engine'>,
  { Id, State }: ContainerInspect,
  uid: string,
): Promise<CgroupReadings> {
  if (!engine.isLocal || State.Pid <= 0 || !uid) return noReadings;
  const own = (await cgroupDirectories(State.Pid)).filter(({ path }) => basename(path).includes(Id));
  return readDirectories(
    podDirectories(
      own.map(({ path }) => path),
      uid,
    ),
  );
}

/**
 * Returns those parents of a sandbox's cgroup directories that belong to the pod. With systemd, the uid has
 * underscores.
 */
export const podDirectories = (paths: readonly string[], uid: string): string[] =>
  paths.map(dirname).filter((path) => [uid, uid.replaceAll('-', '_')].some((name) => basename(path).includes(name)));

/**
 * Returns the cgroup directories of a process: one for each hierarchy of v1, and one for v2. If both versions are in
 * use, v2 is mounted below `unified`.
 */
export async function cgroupDirectories(pid: number): Promise<{ controllers: string; path: string }[]> {
  const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.+)$/.exec(line) ?? [];
    if (path === undefined || controllers === undefined) return [];
    if (controllers) return [{ controllers, path: join(mount, controllers, path) }];
    return [mount, join(mount, 'unified')].map((tree) => ({ controllers, path: join(tree, path) }));
  });
}

/**
 * Reads the cgroup of a process.
 * @param name the container's id; the path of the cgroup must contain it, because the pid may belong to another process
 * by now
 */
async function readCgroup(pid: number, name: string): Promise<CgroupReadings> {
  const own = (await cgroupDirectories(pid)).filter(({ path }) => path.includes(name));
  return readDirectories(own.map(({ path }) => path));
}

async function readDirectories(paths: readonly string[]): Promise<CgroupReadings> {
  const all = await Promise.all(paths.map(readCgroupDirectory));
  return {
    pressure: Object.assign({}, ...all.map(({ pressure }) => pressure)) as Pressure,
    hugePages: all.flatMap(({ hugePages }) => hugePages),
    ...firstOf(all, 'memoryPeak'),
    ...firstOf(all, 'swap'),
  };
}

function firstOf<K extends 'memoryPeak' | 'swap'>(all: readonly CgroupReadings[], key: K): Partial<Record<K, number>> {
  const value = all.find((each) => each[key] !== undefined)?.[key];
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}

/** Reads the values in a cgroup directory. */
export async function readCgroupDirectory(path: string): Promise<CgroupReadings> {
  const names = new Set(await readdir(path).catch((): string[] => []));
  const read = async (file: string): Promise<string | undefined> =>
    names.has(file) ? readFile(join(path, file), 'utf8').catch(() => undefined) : undefined;
  const number = async (file: string): Promise<number | undefined> => {
    const text = await read(file);
    return text === undefined || !/^\d+$/.test(text.trim()) ? undefined : Number(text);
  };
  const pressure = await Promise.all(
    resources.map(async (resource) => {
      const found = parsePressure((await read(`${resource}.pressure`)) ?? '');
      return found ? { [resource]: found } : {};
    }),
  );
  const hugePages = await Promise.all(
    [...names].flatMap((name) => {
      const [, pageSize] = /^hugetlb\.(\w+)\.(?:current|usage_in_bytes)$/.exec(name) ?? [];
      return pageSize ? [hugePagesOf(pageSize, number)] : [];
    }),
  );
  const [memoryPeak, swap] = await Promise.all([number('memory.peak'), number('memory.swap.current')]);
  return {
    pressure: Object.assign({}, ...pressure) as Pressure,
    hugePages,
    ...(memoryPeak === undefined ? {} : { memoryPeak }),
    ...(swap === undefined ? {} : { swap }),
  };
}

async function hugePagesOf(
  pageSize: string,
  number: (file: string) => Promise<number | undefined>,
): Promise<HugePages> {
  const usage =
    (await number(`hugetlb.${pageSize}.usage_in_bytes`)) ?? (await number(`hugetlb.${pageSize}.current`)) ?? 0;
  return { pageSize, usage, maxUsage: (await number(`hugetlb.${pageSize}.max_usage_in_bytes`)) ?? usage };
}

/**
 * Parses a pressure file, which has a line `some avg10=0.00 avg60=0.00 avg300=0.00 total=0` and a similar line `full`.
 * Upstream: statPSI (libcontainer cgroups/fs2).
 */
function parsePressure(text: string): PsiStats | undefined {
  const [some, full] = ['some', 'full'].map((kind): PsiData | undefined => {
    const [line] = new RegExp(`^${kind} .*$`, 'm').exec(text) ?? [];
    if (line === undefined) return undefined;
    const value = (key: string): number => Number(new RegExp(` ${key}=([0-9.]+)`).exec(line)?.[1] ?? 0);
    return { total: value('total'), avg10: value('avg10'), avg60: value('avg60'), avg300: value('avg300') };
  });
  return some || full ? { ...(some ? { some } : {}), ...(full ? { full } : {}) } : undefined;
}
