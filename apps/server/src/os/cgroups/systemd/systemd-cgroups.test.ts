import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CgroupsV2 } from '../cgroups-v2.ts';
import { NodeCgroups } from '../node-cgroups.ts';
import { FakeSystemd } from '../testing/fake-systemd.ts';
import { SystemdCgroups } from './systemd-cgroups.ts';
import { SystemdUnits } from './systemd-units.ts';

const slice = '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podab_cd.slice';
const unit = 'kubepods-burstable-podab_cd.slice';
const infinity = 2n ** 64n - 1n;

let fake: FakeSystemd;
let units: SystemdUnits;
let cgroups: NodeCgroups;

beforeEach(async () => {
  fake = await FakeSystemd.start();
  units = await SystemdUnits.open(fake.socket);
  const hierarchy = new SystemdCgroups(new CgroupsV2(fake.mount), units);
  cgroups = new NodeCgroups(hierarchy, join(fake.directory, 'kubelet'), 2);
});

afterEach(async () => {
  units.close();
  await fake.stop();
});

const file = (name: string): Promise<string> => readFile(join(fake.mount, slice, name), 'utf8');

describe('pod cgroups with the systemd driver', () => {
  it('starts a slice below its QoS class and sets its values through systemd and in the files', async () => {
    await cgroups.create(slice, { cpuShares: 102, cpuQuota: 20_000, cpuPeriod: 100_000, memory: 64 * 1024 ** 2 });
    expect(fake.calls).toEqual(['Subscribe', 'StartTransientUnit', 'SetUnitProperties']);
    expect(fake.units.get(unit)).toMatchObject({
      Wants: ['kubepods-burstable.slice'],
      DefaultDependencies: false,
      CPUWeight: 4n,
      CPUQuotaPeriodUSec: 100_000n,
      CPUQuotaPerSecUSec: 200_000n,
      MemoryMax: 64n * 1024n ** 2n,
    });
    expect(await file('memory.max')).toBe(String(64 * 1024 ** 2));
    expect(await file('cpu.max')).toBe('20000 100000');
  });

  it('removes limits with the value infinity', async () => {
    await cgroups.create(slice, { cpuQuota: -1, memory: 0 });
    expect(fake.units.get(unit)).toMatchObject({ CPUQuotaPerSecUSec: infinity, MemoryMax: infinity });
    expect(await file('cpu.max')).toBe('max 100000');
  });

  it('rounds a quota up to the 10 ms per second that systemd accepts', async () => {
    await cgroups.create(slice, { cpuQuota: 1001, cpuPeriod: 100_000 });
    expect(fake.units.get(unit)).toMatchObject({ CPUQuotaPerSecUSec: 20_000n });
  });

  it('finds its pods by uid, and the memory of their containers by id', async () => {
    await cgroups.create(slice, {});
    expect(await cgroups.pods()).toEqual(new Map([['ab-cd', slice]]));
    const id = 'f'.repeat(64);
    const scope = join(fake.mount, slice, `docker-${id}.scope`);
    await mkdir(scope);
    await writeFile(join(scope, 'memory.current'), '4096\n');
    expect((await cgroups.memoryUsage(slice)).children).toEqual({ [id]: 4096 });
  });

  it('stops the slice and leaves no cgroup', async () => {
    await cgroups.create(slice, {});
    await cgroups.destroy(slice);
    expect(fake.calls.at(-1)).toBe('StopUnit');
    expect(fake.units.has(unit)).toBe(false);
    expect(await cgroups.exists(slice)).toBe(false);
  });

  it('accepts a unit that exists already, but fails without its cgroup', async () => {
    fake.error = { name: 'org.freedesktop.systemd1.UnitExists', message: 'exists' };
    await expect(cgroups.create(slice, {})).rejects.toThrow(`systemd started ${unit} without the cgroup ${slice}`);
  });

  it('fails with the error of systemd', async () => {
    fake.error = { name: 'org.freedesktop.DBus.Error.AccessDenied', message: 'Permission denied' };
    await expect(cgroups.create(slice, {})).rejects.toThrow('Permission denied');
  });

  it('fails when the job of a unit fails', async () => {
    fake.jobResult = 'timeout';
    await expect(cgroups.create(slice, {})).rejects.toThrow(`StartTransientUnit of ${unit} ended with "timeout"`);
  });
});
