/** Whether this server keeps cgroups of pods, and why not. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CgroupManager } from '@podscope/kubelet';
import { z } from 'zod';
import type { ServerOptions } from '../../cli/options.ts';
import { StartError } from '../../start-error.ts';
import { foreignPodCgroups, openNodeCgroups } from './node-cgroups.ts';

export interface PodCgroupChoice {
  readonly cgroups?: CgroupManager;
  readonly notices: readonly string[];
}

const isLocal = (endpoint: string | undefined): boolean => endpoint === undefined || endpoint === '' || endpoint.startsWith('unix://');

/**
 * Pod cgroups, where they are wanted and can be had. While there are pods, `auto` stays with what it chose before: a kubelet that begins to
 * keep cgroups ends the containers that run outside of them, and another kubelet that comes or goes is no reason for that.
 * @throws StartError when they were asked for and can't be had
 */
export async function choosePodCgroups(
  { podCgroups }: Pick<ServerOptions, 'podCgroups'>,
  kubeletRoot: string,
  driver: 'cgroupfs' | 'systemd',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<PodCgroupChoice> {
  const earlier = podCgroups === 'auto' ? await earlierChoice(kubeletRoot) : undefined;
  const choice = await choose(podCgroups, earlier, kubeletRoot, driver, environment.DOCKER_HOST);
  await mkdir(kubeletRoot, { recursive: true });
  await writeFile(choiceFile(kubeletRoot), choice.cgroups ? 'on' : 'off');
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
  if (earlier === 'off') return { notices: [notice('those that are here were started without, and would be restarted (--pod-cgroups on does that)')] };
  const found = await whyNot(kubeletRoot, driver, dockerHost, earlier === 'on');
  if (typeof found !== 'string') return { cgroups: found, notices: [] };
  if (asked === 'on') throw new StartError(`--pod-cgroups on: ${found}`);
  return { notices: [notice(found)] };
}

const notice = (reason: string): string => `Pods have no cgroups of their own: ${reason}.`;

const choiceFile = (kubeletRoot: string): string => join(kubeletRoot, 'pod-cgroups');

/** What an earlier process chose, if pods of its time are still here. */
async function earlierChoice(kubeletRoot: string): Promise<Choice | undefined> {
  const pods = await readdir(join(kubeletRoot, 'pods')).catch((): string[] => []);
  if (pods.length === 0) return undefined;
  const text = await readFile(choiceFile(kubeletRoot), 'utf8').catch(() => undefined);
  return z.enum(['on', 'off']).safeParse(text?.trim()).data;
}

/** @param isKept pods of this node have cgroups already: other kubelets had to be reckoned with before */
async function whyNot(kubeletRoot: string, driver: 'cgroupfs' | 'systemd', dockerHost: string | undefined, isKept: boolean): Promise<string | CgroupManager> {
  if (driver === 'systemd') return 'the engine leaves cgroups to systemd, which would not know them';
  if (!isLocal(dockerHost)) return 'the engine runs on another machine';
  const cgroups = await openNodeCgroups({ kubeletRoot });
  if (!cgroups) return 'this process may not make any (it takes root and a writable /sys/fs/cgroup)';
  const foreign = isKept ? 0 : await foreignPodCgroups(cgroups);
  // A kubelet takes cgroups of pods it does not know for left over, and kills what is in them.
  return foreign > 0 ? `another kubelet keeps ${foreign} on this machine` : cgroups;
}
