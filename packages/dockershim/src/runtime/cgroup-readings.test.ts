import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { podDirectories, readCgroupDirectory } from './cgroup-readings.ts';

async function group(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cgroup-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text)));
  return directory;
}

describe('readings of a cgroup', () => {
  it('returns pressure, huge pages, memory peak and swap of cgroup v2', async () => {
    const directory = await group({
      'cpu.pressure':
        'some avg10=1.50 avg60=0.20 avg300=0.00 total=101918\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=95368\n',
      // The file for the CPU has no "full" line, as in kernels before 5.13.
      'io.pressure': 'some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n',
      'hugetlb.2MB.current': '4194304\n',
      'hugetlb.2MB.max': 'max\n',
      'memory.peak': '8192\n',
      'memory.swap.current': '0\n',
    });
    expect(await readCgroupDirectory(directory)).toEqual({
      pressure: {
        cpu: {
          some: { total: 101_918, avg10: 1.5, avg60: 0.2, avg300: 0 },
          full: { total: 95_368, avg10: 0, avg60: 0, avg300: 0 },
        },
        io: { some: { total: 7, avg10: 0, avg60: 0, avg300: 0 } },
      },
      hugePages: [{ pageSize: '2MB', usage: 4_194_304, maxUsage: 4_194_304 }],
      memoryPeak: 8192,
      swap: 0,
    });
  });

  it('returns huge pages and their maximum of cgroup v1', async () => {
    const directory = await group({
      'hugetlb.1GB.usage_in_bytes': '0\n',
      'hugetlb.1GB.max_usage_in_bytes': '1073741824\n',
    });
    expect(await readCgroupDirectory(directory)).toEqual({
      pressure: {},
      hugePages: [{ pageSize: '1GB', usage: 0, maxUsage: 1_073_741_824 }],
    });
  });

  it('returns no readings of a missing cgroup', async () => {
    expect(await readCgroupDirectory('/no/such/group')).toEqual({ pressure: {}, hugePages: [] });
  });
});

describe("a pod's own cgroup", () => {
  const uid = '1f2e3d4c-0000-4000-8000-0123456789ab';
  it.each([
    [
      '/sys/fs/cgroup/kubepods/burstable/pod1f2e3d4c-0000-4000-8000-0123456789ab/ab12',
      '/sys/fs/cgroup/kubepods/burstable/pod1f2e3d4c-0000-4000-8000-0123456789ab',
    ],
    [
      '/sys/fs/cgroup/kubepods.slice/kubepods-pod1f2e3d4c_0000_4000_8000_0123456789ab.slice/docker-ab12.scope',
      '/sys/fs/cgroup/kubepods.slice/kubepods-pod1f2e3d4c_0000_4000_8000_0123456789ab.slice',
    ],
    ['/sys/fs/cgroup/system.slice/docker-ab12.scope', undefined],
    ['/sys/fs/cgroup/docker/ab12', undefined],
  ])('has readings: %s', (path, expected) => {
    expect(podDirectories([path], uid)).toEqual(expected === undefined ? [] : [expected]);
  });
});
