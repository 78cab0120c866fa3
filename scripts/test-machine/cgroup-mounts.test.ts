import { expect, it } from 'vitest';
import { cgroupMounts } from './cgroup-mounts.ts';

it('returns one hierarchy on a machine with cgroup v2', () => {
  const text = '35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n';
  expect(cgroupMounts(text)).toEqual([{ path: '/sys/fs/cgroup', type: 'cgroup2', options: 'rw' }]);
});

it('returns each controller, the named hierarchy and the unified one on a machine with cgroup v1', () => {
  const text = [
    '47 30 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755',
    '49 48 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct',
    '51 48 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset,clone_children',
    '57 48 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd',
    '58 48 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
    '59 48 0:39 / /mnt/elsewhere rw - cgroup cgroup rw,pids',
  ].join('\n');
  expect(cgroupMounts(text).map(({ path, type, options }) => `${type} ${options} ${path}`)).toEqual([
    'cgroup cpuset /sys/fs/cgroup/cpuset',
    'cgroup none,xattr,name=systemd /sys/fs/cgroup/systemd',
    'cgroup2 rw /sys/fs/cgroup/unified',
    'cgroup cpu,cpuacct /sys/fs/cgroup/cpu,cpuacct',
  ]);
});
