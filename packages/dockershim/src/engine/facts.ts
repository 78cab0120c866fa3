/** What we know of the engine since we connected. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { CgroupDriver } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { DockerInfo } from '../docker/schemas.ts';

/** Facts that hold as long as the engine runs. */
export interface EngineFacts {
  readonly cgroupDriver: CgroupDriver;
  /** True when the engine runs on this machine. */
  readonly isLocal: boolean;
  /** True when the engine's files are ours to write: same machine, and the rights for it. */
  readonly hasLocalFiles: boolean;
  readonly rootDirectory: string;
  /** False when this machine's kernel, or the engine, has no AppArmor: the engine would then pass over profiles in silence. */
  readonly hasAppArmor: boolean;
}

/** Upstream: the cgroup driver part of NewDockerService (v1.20): empty counts as cgroupfs. */
const cgroupDriverOf = ({ CgroupDriver }: DockerInfo): CgroupDriver => (CgroupDriver === 'systemd' ? 'SYSTEMD' : 'CGROUPFS');

/** Asks the engine about itself. */
export async function discoverEngine(ctx: Context, docker: DockerClient): Promise<EngineFacts> {
  const info = await docker.info(ctx, {});
  const isHere = docker.endpoint.startsWith('unix://') && info.Name === hostname();
  const isWritable =
    isHere &&
    (await access(info.DockerRootDir, constants.W_OK).then(
      () => true,
      () => false,
    ));
  const hasAppArmor = info.SecurityOptions.some((option) => option === 'apparmor' || /(^|,)name=apparmor(,|$)/.test(option));
  return { cgroupDriver: cgroupDriverOf(info), isLocal: isHere, hasLocalFiles: isWritable, rootDirectory: info.DockerRootDir, hasAppArmor };
}
