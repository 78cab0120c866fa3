/** Decides whether this server uses pod cgroups, and gives the reason if it doesn't. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CgroupManager } from '@podscope/kubelet';
import { z } from 'zod';
import type { ServerOptions } from '../../cli/server-options.ts';
import { StartError } from '../../start-error.ts';
import { writePrivately } from '../../state/state-directory.ts';
import { foreignPodCgroups, openNodeCgroups } from './node-cgroups.ts';

export interface PodCgroupChoice {
  readonly cgroups?: CgroupManager;
  readonly notices: readonly string[];
}

const isLocal = (endpoint: string | undefined): boolean =>
  endpoint === undefined || endpoint === '' || endpoint.startsWith('unix://');

/**
 * Returns the cgroup manager if pod cgroups are requested and possible. While pods exist, `auto` repeats the choice of
 * the previous server process, because another choice would restart all their containers.
 * @throws StartError if pod cgroups are requested but not possible
 */
export async function choosePodCgroups(
  { podCgroups }: Pick<ServerOptions, 'podCgroups'>,
  kubeletRoot: string,
  driver: 'cgroupfs' | 'systemd',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<PodCgroupChoice> {
  const earlier = podCgroups === 'auto' ? await earlierChoice(kubeletRoot) : undefined;
  const choice = await choose(podCgroups, earlier, kubeletRoot, driver, environment.DOCKER_HOST);
  await writePrivately(choiceFile(kubeletRoot), choice.cgroups ? 'on' : 'off');
  return choice;
}

type Choice = 'on' | 'off';

async function choose(
  asked: ServerOptions['podCgroups'],
  earlier: Choice | undefined,
  kubeletRoot: string,
  driver: 'cgroupfs' | 'systemd',
  dockerHost: string | undefined,
): Promise<PodCgroupChoice> {
  if (asked === 'off') return { notices: [] };
  if (earlier === 'off')
    return {
      notices: [notice('the existing pods would be restarted to get them (--pod-cgroups on restarts them)')],
    };
  // Cgroups of the systemd driver haven't been tested on real hardware, so `auto` doesn't use them.
  if (driver === 'systemd' && asked === 'auto')
    return { notices: [notice('they are experimental with the systemd driver (--pod-cgroups on enables them)')] };
  const found = await whyNot(kubeletRoot, driver, dockerHost, earlier === 'on');
  if (typeof found !== 'string') return { cgroups: found, notices: [] };
  if (asked === 'on') throw new StartError(`--pod-cgroups on: ${found}`);
  return { notices: [notice(found)] };
}

const notice = (reason: string): string => `Pods have no cgroups of their own: ${reason}.`;

const choiceFile = (kubeletRoot: string): string => join(kubeletRoot, 'pod-cgroups');

/** Returns the choice of an earlier process if its pods are still present. */
async function earlierChoice(kubeletRoot: string): Promise<Choice | undefined> {
  const pods = await readdir(join(kubeletRoot, 'pods')).catch((): string[] => []);
  if (pods.length === 0) return undefined;
  const text = await readFile(choiceFile(kubeletRoot), 'utf8').catch(() => undefined);
  return z.enum(['on', 'off']).safeParse(text?.trim()).data;
}

/**
 * Returns the cgroup manager, or the reason why pod cgroups can't be used.
 * @param hasPodCgroups true if pods of this node already have cgroups. In that case an earlier process has checked for
 * other kubelets, so this one doesn't.
 */
async function whyNot(
  kubeletRoot: string,
  driver: 'cgroupfs' | 'systemd',
  dockerHost: string | undefined,
  hasPodCgroups: boolean,
): Promise<string | CgroupManager> {
  if (!isLocal(dockerHost)) return 'the engine runs on another machine';
  const cgroups = await openNodeCgroups({ kubeletRoot, driver });
  if (!cgroups && driver === 'systemd') return 'the systemd driver needs root, cgroup v2 and a systemd that answers';
  if (!cgroups) return 'this process may not make any (it takes root and a writable /sys/fs/cgroup)';
  const foreign = hasPodCgroups ? 0 : await foreignPodCgroups(cgroups);
  // A kubelet kills the processes in cgroups of unknown pods, so two kubelets can't use the same hierarchy.
  return foreign > 0 ? `another kubelet keeps ${foreign} on this machine` : cgroups;
}
