/**
 * Writes the cgroup settings for which Docker has no field: CRI's `unified` (`memory.oom.group`, `memory.swap.max`, …)
 * and huge page limits. They are written as soon as the container runs. runc could write them before the start, but
 * Docker's API doesn't pass them to runc.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '@podscope/base';
import { CriError, type LinuxContainerResources } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { z } from 'zod';
import type { DockershimDependencies } from '../../dependencies.ts';
import { exists } from '../../engine/local-files.ts';
import { labelKeys } from '../../objects/labels.ts';
import { cgroupDirectories, countsHugePages } from '../../runtime/cgroup-readings.ts';
import type { CgroupSetting } from './cgroup-setting.ts';

/** The name of a cgroup file: a controller, a dot and no slash. */
const fileName = /^[a-z][a-z0-9_]*(?:\.[A-Za-z0-9_]+)+$/;

const settingsSchema = z.array(
  z.object({ file: z.string().regex(fileName), value: z.string(), isOptional: z.literal(true).optional() }),
);

/**
 * Returns the settings in a request.
 * @throws CriError InvalidArgument for a name that can't be a cgroup file
 */
export function cgroupSettings({
  unified = {},
  hugepageLimits = [],
}: LinuxContainerResources = {}): readonly CgroupSetting[] {
  const wrong = [...Object.keys(unified), ...hugepageLimits.map(({ pageSize }) => `hugetlb.${pageSize}.max`)].find(
    (name) => !fileName.test(name),
  );
  if (wrong !== undefined) throw new CriError('InvalidArgument', `${goQuote(wrong)} is no file of a control group`);
  return [
    ...Object.entries(unified).map(([file, value]) => ({ file, value })),
    // Kubelets send a limit for every page size of the node. If the kernel lacks the hugetlb controller, a container
    // can't get huge pages, so these settings are optional.
    ...hugepageLimits.flatMap(({ pageSize, limit }): CgroupSetting[] =>
      [`hugetlb.${pageSize}.max`, `hugetlb.${pageSize}.limit_in_bytes`].map((file) => ({
        file,
        value: String(limit),
        isOptional: true,
      })),
    ),
  ];
}

/** Returns the settings that this machine can apply. */
export async function settableOf(
  dependencies: Pick<DockershimDependencies, 'engine'>,
  settings: readonly CgroupSetting[],
): Promise<readonly CgroupSetting[]> {
  const needed = settings.filter(({ isOptional }) => !isOptional);
  return needed.length < settings.length && dependencies.engine.isLocal && (await countsHugePages())
    ? settings
    : needed;
}

/**
 * Returns a label with the settings. The label stores the settings from creation to start, because another process may
 * start the container.
 */
export const cgroupSettingsLabel = (settings: readonly CgroupSetting[]): Readonly<Record<string, string>> =>
  settings.length > 0 ? { [labelKeys.cgroupSettings]: JSON.stringify(settings) } : {};

/** Returns the settings in a container's labels; no settings for an unreadable label. */
export function cgroupSettingsOf(labels: Readonly<Record<string, string>>): readonly CgroupSetting[] {
  const text = labels[labelKeys.cgroupSettings];
  if (text === undefined) return [];
  try {
    return settingsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/**
 * Writes the settings into the cgroup of a running container. Never throws: a setting that can't be written is recorded
 * as a deviation.
 */
export async function applyCgroupSettings(
  ctx: Context,
  dependencies: DockershimDependencies,
  id: string,
  settings: readonly CgroupSetting[],
): Promise<void> {
  if (settings.length === 0) return;
  try {
    if (!dependencies.engine.isLocal) throw new Error('the engine is not on this machine');
    const { State } = await dependencies.docker.inspectContainer(ctx, { id });
    // The container has exited already.
    if (State.Pid <= 0) return;
    const directories = (await cgroupDirectories(State.Pid))
      .map(({ path }) => path)
      .filter((path) => path.includes(id));
    if (directories.length > 0) await writeSettings(directories, settings);
  } catch (error) {
    const files = settings.filter(({ isOptional }) => !isOptional).map(({ file }) => file);
    if (files.length === 0) return;
    const why = errorMessage(error);
    dependencies.deviations.record(
      ctx,
      `Settings of a container's control group without a Docker option (${files.join(', ')}) could not be set: ${why}.`,
    );
  }
}

/**
 * Writes all settings.
 * @throws Error that names the first file that doesn't exist or rejects its value; the other files are still written
 */
export async function writeSettings(directories: readonly string[], settings: readonly CgroupSetting[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { file, value, isOptional } of settings) {
    try {
      const found = (
        await Promise.all(directories.map(async (path) => ((await exists(join(path, file))) ? [join(path, file)] : [])))
      ).flat()[0];
      if (found !== undefined) await writeFile(found, value, { flag: 'r+' });
      else if (!isOptional) throw new Error(`this machine's control groups have no ${file}`);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
