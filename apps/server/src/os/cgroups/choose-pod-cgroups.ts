/** Whether this server keeps cgroups of pods, and why not. */
import type { CgroupManager } from '@podscope/kubelet';
import type { ServerOptions } from '../../cli/options.ts';
import { StartError } from '../../start-error.ts';
import { foreignPodCgroups, openNodeCgroups } from './node-cgroups.ts';

export interface PodCgroupChoice {
  readonly cgroups?: CgroupManager;
  readonly notices: readonly string[];
}

const isLocal = (endpoint: string | undefined): boolean => endpoint === undefined || endpoint === '' || endpoint.startsWith('unix://');

/**
 * Pod cgroups, where they are wanted and can be had.
 * @throws StartError when they were asked for and can't be had
 */
export async function choosePodCgroups(
  { podCgroups }: Pick<ServerOptions, 'podCgroups'>,
  kubeletRoot: string,
  driver: 'cgroupfs' | 'systemd',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<PodCgroupChoice> {
  if (podCgroups === 'off') return { notices: [] };
  const obstacle = await whyNot(kubeletRoot, driver, environment.DOCKER_HOST);
  if (typeof obstacle !== 'string') return { cgroups: obstacle, notices: [] };
  if (podCgroups === 'on') throw new StartError(`--pod-cgroups on: ${obstacle}`);
  return { notices: [`Pods have no cgroups of their own: ${obstacle}.`] };
}

async function whyNot(kubeletRoot: string, driver: 'cgroupfs' | 'systemd', dockerHost: string | undefined): Promise<string | CgroupManager> {
  if (driver === 'systemd') return 'the engine leaves cgroups to systemd, which would not know them';
  if (!isLocal(dockerHost)) return 'the engine runs on another machine';
  const cgroups = await openNodeCgroups({ kubeletRoot });
  if (!cgroups) return 'this process may not make any (it takes root and a writable /sys/fs/cgroup)';
  const foreign = await foreignPodCgroups(cgroups);
  // A kubelet takes cgroups of pods it does not know for left over, and kills what is in them.
  return foreign > 0 ? `another kubelet keeps ${foreign} on this machine` : cgroups;
}
