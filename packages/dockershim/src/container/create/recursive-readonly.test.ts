import type { Mount } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import type { EngineFacts } from '../../engine/facts.ts';
import { FakeDocker } from '../../testing/fake-docker.ts';
import { canMountRecursively, mountPointsBelow, recursiveMounts, recursiveMountsOf } from './recursive-readonly.ts';

const engine: EngineFacts = {
  cgroupDriver: 'CGROUPFS',
  isLocal: true,
  hasLocalFiles: true,
  rootDirectory: '/var/lib/docker',
  hasAppArmor: false,
  hasSELinux: false,
};
const docker = new FakeDocker();
const newDocker = Object.assign(new FakeDocker(), { apiVersion: '1.44' });
const mount: Mount = { hostPath: '/no/such/data', containerPath: '/data', readonly: true, recursiveReadOnly: true };

describe('recursive read-only mounts', () => {
  it('are passed unchanged to an engine that supports them', async () => {
    const { mounts } = await recursiveMounts({ docker: newDocker, engine: { ...engine, isLocal: false } }, [mount]);
    expect(mounts).toEqual([
      {
        Type: 'bind',
        Source: '/no/such/data',
        Target: '/data',
        ReadOnly: true,
        BindOptions: { Propagation: 'rprivate', ReadOnlyForceRecursive: true },
      },
    ]);
  });

  it('bind every file system below them on older engines, except where another mount covers it', async () => {
    const { mounts, labels } = await recursiveMounts({ docker, engine }, [
      { ...mount, hostPath: '/', containerPath: '/host' },
      { hostPath: '/x', containerPath: '/host/sys' },
    ]);
    expect(mounts[0]).toMatchObject({
      Source: '/',
      Target: '/host',
      ReadOnly: true,
      BindOptions: { NonRecursive: true },
    });
    const targets = mounts.map(({ Target }) => Target);
    expect(targets).toContain('/host/proc');
    expect(targets).not.toContain('/host/sys');
    expect(mounts.every(({ ReadOnly, BindOptions }) => ReadOnly && BindOptions?.NonRecursive)).toBe(true);
    expect(recursiveMountsOf(labels)).toEqual({ '/host': targets.slice(1) });
  });

  it('find only the mounts below a directory', async () => {
    const lines = ['/data', '/data/one', '/data/with\\040blank', '/data/one', '/database', '/data/one/two'].map(
      (point) => `1 2 0:3 / ${point} rw - t s o`,
    );
    expect(await mountPointsBelow('/data', lines.join('\n'))).toEqual(['one', 'one/two', 'with blank']);
  });

  it.each<[Partial<Mount>, string]>([
    [{ readonly: false }, 'it is not read-only'],
    [{ propagation: 'PROPAGATION_BIDIRECTIONAL' }, 'its propagation is PROPAGATION_BIDIRECTIONAL'],
  ])('are rejected with %j', async (wrong, reason) => {
    const refused = {
      code: 'InvalidArgument',
      message: `recursive read-only mount of "/no/such/data" is refused: ${reason}`,
    };
    await expect(recursiveMounts({ docker, engine }, [{ ...mount, ...wrong }])).rejects.toMatchObject(refused);
  });

  it('are rejected if neither the engine nor dockershim can make them', async () => {
    const remote = { docker, engine: { ...engine, isLocal: false } };
    expect(canMountRecursively(remote)).toBe(false);
    await expect(recursiveMounts(remote, [mount])).rejects.toMatchObject({ code: 'FailedPrecondition' });
  });
});
