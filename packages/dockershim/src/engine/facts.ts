/** Reads the engine's properties that dockershim depends on, once after connecting. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { CgroupDriver } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { DockerInfo } from '../docker/schemas.ts';

/** The properties of an engine that don't change while it runs. */
export interface EngineFacts {
  readonly cgroupDriver: CgroupDriver;
  /** True when the engine runs on this machine. */
  readonly isLocal: boolean;
  /**
   * True when this process may write the engine's files: the engine is on this machine, and the process has the
   * permissions.
   */
  readonly hasLocalFiles: boolean;
  readonly rootDirectory: string;
  /**
   * False when the engine or its kernel has no AppArmor. The engine then ignores AppArmor profiles without an error.
   */
  readonly hasAppArmor: boolean;
  /** True when the engine labels files for SELinux. Only then does the relabel option of a mount have an effect. */
  readonly hasSELinux: boolean;
}

/** Returns the cgroup driver. An empty name means cgroupfs. Upstream: NewDockerService (v1.20). */
const cgroupDriverOf = ({ CgroupDriver }: DockerInfo): CgroupDriver =>
  CgroupDriver === 'systemd' ? 'SYSTEMD' : 'CGROUPFS';

/** Reads the engine's properties with `GET /info`. */
export async function discoverEngine(ctx: Context, docker: DockerClient): Promise<EngineFacts> {
  const info = await docker.info(ctx, {});
  const isHere = docker.endpoint.startsWith('unix://') && info.Name === hostname();
  const isWritable =
    isHere &&
    (await access(info.DockerRootDir, constants.W_OK).then(
      () => true,
      () => false,
    ));
  const has = (name: string): boolean =>
    info.SecurityOptions.some((option) => option.split(',').some((part) => part === name || part === `name=${name}`));
  return {
    cgroupDriver: cgroupDriverOf(info),
    isLocal: isHere,
    hasLocalFiles: isWritable,
    rootDirectory: info.DockerRootDir,
    hasAppArmor: has('apparmor'),
    hasSELinux: has('selinux'),
  };
}
