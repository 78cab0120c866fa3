/** Tests the removal of the directories of pods that no source has any more. */
import { MemoryOS } from '@podscope/kuberuntime';
import { afterEach, describe, expect, it } from 'vitest';
import type { Measure } from '../metrics/measures.ts';
import { KubeletHarness } from '../testing/kubelet-harness.ts';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';

const pod = '/var/lib/kubelet/pods/old';
/** A volume of a plugin that this node doesn't have, so the kubelet doesn't know the volume after its start. */
const volume = `${pod}/volumes/example.com~disk/data`;

/** A file system with mount points. */
class MountingOS extends MemoryOS {
  readonly mounts = new Set<string>();

  async mountPointsBelow(path: string): Promise<readonly string[]> {
    return [...this.mounts].filter((point) => point === path || point.startsWith(`${path}/`));
  }
}

let harness: KubeletHarness;
let os: MountingOS;

async function start(profile: 'v1.36' | 'v1.20', cgroups?: MemoryCgroups): Promise<void> {
  harness = new KubeletHarness({ profile, os, ...(cgroups ? { cgroups } : {}) });
  await harness.start();
}

/** Returns the outcomes of the removals, and the warnings. */
const reports = (): readonly string[] => [
  ...harness
    .ofType('decision')
    .flatMap(({ rule, outcome }) => (rule === 'podDirectories.cleanup' ? [String(outcome)] : [])),
  ...harness.ofType('output').flatMap(({ level, message }) => (level === 'warning' ? [message] : [])),
];

const prepare = async (...directories: readonly string[]): Promise<void> => {
  os = new MountingOS();
  for (const path of directories) await os.mkdirAll(path, 0o750);
};

afterEach(() => harness.stop());

describe('the directory of a pod that is gone', () => {
  it('is removed with an empty volume in v1.36', async () => {
    await prepare(volume, `${pod}/etc`);
    await start('v1.36');
    await harness.until(3);
    expect(await os.exists(pod)).toBe(false);
    expect(reports()).toEqual(['removed']);
  });

  it('is kept in v1.20 while it has the directory of a volume', async () => {
    await prepare(volume);
    await start('v1.20');
    await harness.until(9);
    expect(await os.exists(volume)).toBe(true);
    const refusal = 'volume paths are still present on disk';
    expect(reports()).toEqual([refusal, `orphaned pod "old" found, but ${refusal}`]);
  });

  it('is kept in v1.20 while it has a directory for subpaths', async () => {
    await prepare(`${pod}/volume-subpaths`);
    await start('v1.20');
    await harness.until(9);
    expect(await os.exists(pod)).toBe(true);
    const refusal = 'volume subpaths are still present on disk';
    expect(reports()).toEqual([refusal, `orphaned pod "old" found, but ${refusal}`]);
  });

  it('is removed in v1.36 with the entries of subpaths', async () => {
    await prepare(`${pod}/volume-subpaths/data/app`);
    await os.writeFile(`${pod}/volume-subpaths/data/app/0`, '', 0o640);
    await start('v1.36');
    await harness.until(3);
    expect(await os.exists(pod)).toBe(false);
  });

  it('is kept in v1.36 with a volume that has content, until the content is gone', async () => {
    await prepare(volume);
    await os.writeFile(`${volume}/file`, 'data', 0o644);
    await start('v1.36');
    const sweeps: Measure[] = [];
    harness.kubelet.measures.subscribe((measure) => void (measure.of === 'orphans' && sweeps.push(measure)));
    await harness.until(9);
    expect(sweeps.at(-1)).toEqual({ of: 'orphans', found: 1, kept: 1 });
    expect(await os.exists(`${volume}/file`)).toBe(true);
    const refusal = `failed to rmdir() volume at path ${volume}: rmdir ${volume}: directory not empty`;
    const first = [refusal, `orphaned pod "old" found, but ${refusal}`];
    expect(reports()).toEqual(first);
    await os.remove(`${volume}/file`);
    await harness.until(13);
    expect(await os.exists(pod)).toBe(false);
    expect(reports()).toEqual([refusal, 'removed', first[1]]);
    expect(sweeps.at(-1)).toEqual({ of: 'orphans', found: 0, kept: 0 });
  });

  it('is kept in v1.36 while a file is in the volumes directory', async () => {
    await prepare(`${pod}/volumes`);
    await os.writeFile(`${pod}/volumes/file`, '', 0o644);
    await start('v1.36');
    await harness.until(9);
    expect(await os.exists(`${pod}/volumes/file`)).toBe(true);
    expect(reports()[0]).toContain('error occurred when trying to remove the volumes dir');
  });

  it.each(['v1.36', 'v1.20'] as const)('is left alone in %s while a volume is a mount point', async (profile) => {
    await prepare(volume);
    os.mounts.add(volume);
    await start(profile);
    await harness.until(9);
    expect(await os.exists(volume)).toBe(true);
    expect(reports()).toEqual([]);
  });

  it.each(['v1.36', 'v1.20'] as const)('is kept in %s while something else in it is a mount point', async (profile) => {
    await prepare(`${pod}/etc/mounted`);
    os.mounts.add(`${pod}/etc/mounted`);
    await start(profile);
    await harness.until(9);
    expect(await os.exists(`${pod}/etc/mounted`)).toBe(true);
    expect(reports()[0]).toContain(`cannot delete directory ${pod}/etc/mounted: it is a mount point`);
  });
});

it.each(['v1.36', 'v1.20'] as const)(
  'the cgroup of a pod that is gone is kept in %s while a volume is a mount point',
  async (profile) => {
    await prepare(volume);
    os.mounts.add(volume);
    const cgroups = new MemoryCgroups();
    const path = '/kubepods/burstable/podold';
    cgroups.groups.set(path, { cpuShares: 512 });
    await start(profile, cgroups);
    await harness.until(9);
    expect(cgroups.destroyed).toEqual([]);
    expect(cgroups.groups.get(path)?.cpuShares).toBe(2);
    os.mounts.clear();
    await harness.until(13);
    expect(cgroups.destroyed).toEqual([path]);
  },
);
