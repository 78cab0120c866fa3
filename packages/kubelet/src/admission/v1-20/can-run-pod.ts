/**
 * Runs soft admission: a pod that fails it stays in the API as Blocked and is evaluated again at every sync. Upstream:
 * Kubelet.canRunPod, softAdmitHandlers (pkg/kubelet, pkg/kubelet/lifecycle, pkg/security/apparmor, v1.20).
 */
import { errorText } from '@podscope/base';
import { goQuote, type Pod, visitContainers } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import {
  type AppArmorHost,
  appArmorAnnotationPrefix,
  appArmorDisabled,
  hasAppArmorAnnotation,
  isPending,
} from '../app-armor.ts';
import type { Rejection } from '../types.ts';

export interface SoftAdmissionDependencies {
  /** Checks profiles against the kernel. If undefined, only the form of the profile names is checked. */
  readonly appArmor: AppArmorHost | undefined;
  /** Returns the runtime's name and the version of its API. */
  readonly runtimeVersion: (
    ctx: Context,
  ) => Promise<{ readonly runtimeName: string; readonly runtimeApiVersion: string }>;
}

/**
 * Evaluates one pod.
 * @returns why the pod must not run; undefined when it may run
 */
export type CanRunPod = (ctx: Context, pod: Pod) => Promise<Rejection | undefined>;

/** Names of the runtimes that answer Version with Docker's API version: dockershim and the simulator. */
const dockerRuntimes: ReadonlySet<string> = new Set(['docker', 'sim']);

/** The first API version of Docker that supports each setting. */
const minimumApiVersion = { NoNewPrivs: '1.23', ProcMount: '1.38' } as const;

/**
 * Returns a function that checks a pod with the handlers of v1.20: AppArmor, NoNewPrivs and ProcMount. Each handler
 * emits a decision.
 */
export function createCanRunPod(dependencies: SoftAdmissionDependencies): CanRunPod {
  const handlers: readonly (readonly [string, CanRunPod])[] = [
    ['appArmor', (_ctx, pod) => appArmor(dependencies, pod)],
    ['noNewPrivs', (ctx, pod) => requireDockerApi(ctx, dependencies, 'NoNewPrivs', needsNoNewPrivs(pod))],
    ['procMount', (ctx, pod) => requireDockerApi(ctx, dependencies, 'ProcMount', needsProcMount(pod))],
  ];
  return async (ctx, pod) => {
    // As in upstream, a running or terminated pod isn't checked again.
    if (!isPending(pod)) return undefined;
    for (const [name, handler] of handlers) {
      const rejection = await handler(ctx, pod);
      const facts = { pod: pod.metadata.name };
      ctx.tracer.decide(ctx, `softAdmission.${name}`, facts, rejection?.message ?? 'admitted', rejection !== undefined);
      if (rejection) return rejection;
    }
    return undefined;
  };
}

const isKnownFormat = (profile: string): boolean =>
  ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');

/** Upstream: appArmorAdmitHandler.Admit, validator.Validate. */
async function appArmor({ appArmor: host }: SoftAdmissionDependencies, pod: Pod): Promise<Rejection | undefined> {
  const annotations = pod.metadata.annotations ?? {};
  if (!hasAppArmorAnnotation(annotations)) return undefined;
  const refuse = (text: string): Rejection => ({ reason: 'AppArmor', message: `Cannot enforce AppArmor: ${text}` });
  if (host && !host.enabled) return refuse(appArmorDisabled);
  let loaded: ReadonlySet<string> | undefined;
  try {
    loaded = await host?.loadedProfiles();
  } catch (error) {
    return refuse(`could not read loaded profiles: ${errorText(error)}`);
  }
  for (const { container } of visitContainers(pod.spec)) {
    const profile = annotations[`${appArmorAnnotationPrefix}${container.name}`] ?? '';
    if (!isKnownFormat(profile)) return refuse(`invalid AppArmor profile name: ${goQuote(profile)}`);
    const local = profile.startsWith('localhost/') ? profile.slice('localhost/'.length) : undefined;
    if (local !== undefined && loaded && !loaded.has(local)) return refuse(`profile ${goQuote(local)} is not loaded`);
  }
  return undefined;
}

/** Upstream: noNewPrivsRequired. */
const needsNoNewPrivs = ({ spec }: Pod): boolean =>
  spec.containers.some(({ securityContext }) => securityContext?.allowPrivilegeEscalation === false);

/** Returns true unless the mount type is the default. Upstream: procMountIsDefault. */
const needsProcMount = ({ spec }: Pod): boolean =>
  spec.containers.some(({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default');

/**
 * Rejects the setting when the runtime is a Docker engine whose API is too old for it. Upstream:
 * noNewPrivsAdmitHandler, procMountAdmitHandler.
 */
async function requireDockerApi(
  ctx: Context,
  { runtimeVersion }: SoftAdmissionDependencies,
  setting: keyof typeof minimumApiVersion,
  isNeeded: boolean,
): Promise<Rejection | undefined> {
  if (!isNeeded) return undefined;
  const refuse = (text: string): Rejection => ({ reason: setting, message: `Cannot enforce ${setting}: ${text}` });
  try {
    const { runtimeName, runtimeApiVersion } = await runtimeVersion(ctx);
    if (!dockerRuntimes.has(runtimeName)) return undefined;
    const minimum = minimumApiVersion[setting];
    const tooOld = compareVersions(parseVersion(runtimeApiVersion), parseVersion(minimum)) < 0;
    return tooOld
      ? refuse(`docker runtime API version ${goQuote(runtimeApiVersion)} must be greater than or equal to ${minimum}`)
      : undefined;
  } catch (error) {
    return refuse(errorText(error));
  }
}

/**
 * Returns the numbers of a version.
 * @throws Error with the text of upstream's version parser
 */
function parseVersion(text: string): readonly number[] {
  const numbers = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text)?.slice(1);
  if (!numbers) throw new Error(`illegal version string ${goQuote(text)}`);
  return numbers.map((part) => Number(part ?? 0));
}

function compareVersions(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
