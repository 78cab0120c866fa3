import { describe, expect, it } from 'vitest';
import { literalPath, podUIDOf } from './literal-path.ts';

// The example in section 15.2 of the kubelet specification: uid `ab-cd`, Burstable.
const parts = ['kubepods', 'burstable', 'podab-cd'];

describe('literalPath', () => {
  it.each([
    ['cgroupfs', '/kubepods/burstable/podab-cd'],
    ['systemd', '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podab_cd.slice'],
  ] as const)('returns the path of a pod with the driver %s', (driver, path) => {
    expect(literalPath(driver, parts)).toBe(path);
    expect(podUIDOf(path)).toBe('ab-cd');
  });
});

describe('podUIDOf', () => {
  it.each(['/kubepods', '/kubepods/burstable', '/kubepods.slice/kubepods-burstable.slice'])(
    'returns undefined for %s, which is not the cgroup of a pod',
    (path) => {
      expect(podUIDOf(path)).toBeUndefined();
    },
  );

  it('returns the uid of a guaranteed pod with systemd', () => {
    expect(podUIDOf('/kubepods.slice/kubepods-podab_cd.slice')).toBe('ab-cd');
  });
});
