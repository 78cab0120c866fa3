/**
 * Settings of a container's control group that Docker has no words for: what CRI calls `unified` (`memory.oom.group`, `memory.swap.max`, …) and limits of huge
 * pages. They are written into the group as soon as the container runs. runc would do it a moment before, for a runtime that could ask it to.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CriError, type LinuxContainerResources } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { z } from 'zod';
import { exists } from '../files.ts';
import { labelKeys } from '../labels.ts';
import { cgroupDirectories, countsHugePages } from '../runtime/cgroup-readings.ts';
import type { Shim } from '../shim.ts';

/** What is written into which file of the group; one that need not be there has nothing to be kept from. */
interface Setting {
  readonly file: string;
  readonly value: string;
  readonly isOptional?: true;
}

/** Files of a control group have a controller's name, a dot, and no slash. */
const fileName = /^[a-z][a-z0-9_]*(?:\.[A-Za-z0-9_]+)+$/;

const settingsSchema = z.array(z.object({ file: z.string().regex(fileName), value: z.string(), isOptional: z.literal(true).optional() }));

/**
 * The settings that a request asks for.
 * @throws CriError InvalidArgument for a name that is no file of a control group
 */
export function cgroupSettings({ unified = {}, hugepageLimits = [] }: LinuxContainerResources = {}): readonly Setting[] {
  const wrong = [...Object.keys(unified), ...hugepageLimits.map(({ pageSize }) => `hugetlb.${pageSize}.max`)].find((name) => !fileName.test(name));
  if (wrong !== undefined) throw new CriError('InvalidArgument', `${goQuote(wrong)} is no file of a control group`);
  return [
    ...Object.entries(unified).map(([file, value]) => ({ file, value })),
    // A kubelet names every page size of the node: where nobody counts pages of that size, none is what a container gets anyway.
    ...hugepageLimits.flatMap(({ pageSize, limit }): Setting[] =>
      [`hugetlb.${pageSize}.max`, `hugetlb.${pageSize}.limit_in_bytes`].map((file) => ({ file, value: String(limit), isOptional: true })),
    ),
  ];
}

/** Those of them that can come to something on this machine. */
export async function settableOf(shim: Pick<Shim, 'engine'>, settings: readonly Setting[]): Promise<readonly Setting[]> {
  const needed = settings.filter(({ isOptional }) => !isOptional);
  return needed.length < settings.length && shim.engine.isLocal && (await countsHugePages()) ? settings : needed;
}

/** A label that keeps them between creation and start, whoever starts it. */
export const cgroupSettingsLabel = (settings: readonly Setting[]): Readonly<Record<string, string>> =>
  settings.length > 0 ? { [labelKeys.cgroupSettings]: JSON.stringify(settings) } : {};

/** What such a label says. */
export function cgroupSettingsOf(labels: Readonly<Record<string, string>>): readonly Setting[] {
  const text = labels[labelKeys.cgroupSettings];
  if (text === undefined) return [];
  try {
    return settingsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Writes them into the group of a running container. Never fails: what cannot be set is recorded. */
export async function applyCgroupSettings(shim: Shim, ctx: Context, id: string, settings: readonly Setting[]): Promise<void> {
  if (settings.length === 0) return;
  try {
    if (!shim.engine.isLocal) throw new Error('the engine is not on this machine');
    const { State } = await shim.docker.inspectContainer(ctx, { id });
    // One that has ended needs none.
    if (State.Pid <= 0) return;
    const directories = (await cgroupDirectories(State.Pid)).map(({ path }) => path).filter((path) => path.includes(id));
    if (directories.length > 0) await writeSettings(directories, settings);
  } catch (error) {
    const files = settings.filter(({ isOptional }) => !isOptional).map(({ file }) => file);
    if (files.length === 0) return;
    const why = error instanceof Error ? error.message : String(error);
    shim.deviations.record(ctx, `What Docker cannot be told of a container's control group (${files.join(', ')}) is not set: ${why}.`);
  }
}

/** @throws Error naming the first file that is not there, or that did not take its value; the others are written */
export async function writeSettings(directories: readonly string[], settings: readonly Setting[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { file, value, isOptional } of settings) {
    try {
      const found = (await Promise.all(directories.map(async (path) => ((await exists(join(path, file))) ? [join(path, file)] : [])))).flat()[0];
      if (found !== undefined) await writeFile(found, value, { flag: 'r+' });
      else if (!isOptional) throw new Error(`this machine's control groups have no ${file}`);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
