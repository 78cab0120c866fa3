/** Reads which control group file systems the machine has mounted, so that a test machine can mount the same ones. */

/** One mounted hierarchy. */
export interface CgroupMount {
  readonly path: string;
  readonly type: 'cgroup' | 'cgroup2';
  /** Options for `mount -o` that mount the same hierarchy again. */
  readonly options: string;
}

const isCgroup = (type: string): type is CgroupMount['type'] => type === 'cgroup' || type === 'cgroup2';

/** Options of a mounted v1 hierarchy that don't help to identify the hierarchy. */
const ignored = /^(rw|ro|clone_children|noprefix|cpuset_v2_mode|release_agent=.*)$/;

function mountOptions(type: CgroupMount['type'], superOptions: string): string {
  if (type === 'cgroup2') return 'rw';
  const selecting = superOptions.split(',').filter((option) => !ignored.test(option));
  const isNamed = selecting.some((option) => option.startsWith('name='));
  return [...(isNamed ? ['none'] : []), ...selecting].join(',');
}

/**
 * Returns the hierarchies below `/sys/fs/cgroup`, parents first.
 * @param mountinfo the text of `/proc/self/mountinfo`
 */
export function cgroupMounts(mountinfo: string): readonly CgroupMount[] {
  const found = new Map<string, CgroupMount>();
  for (const line of mountinfo.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const path = left.split(' ')[4] ?? '';
    const [type = '', , superOptions = ''] = right.split(' ');
    if (!isCgroup(type) || !/^\/sys\/fs\/cgroup(\/|$)/.test(path)) continue;
    found.set(path, { path, type, options: mountOptions(type, superOptions) });
  }
  return [...found.values()].toSorted((a, b) => a.path.length - b.path.length);
}
