/**
 * Decides whether a pod needs a new sandbox. Upstream: pkg/kubelet/kuberuntime/util PodSandboxChanged (v1.36; v1.20:
 * kuberuntime podSandboxChanged).
 */
import type { PodSandboxStatus } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodStatus } from '../runtime.ts';

export interface SandboxChange {
  readonly changed: boolean;
  /** The attempt number for the configuration of the next sandbox. */
  readonly attempt: number;
  /** The id of the sandbox to use, or of the sandbox that is replaced; empty if the pod has no sandbox. */
  readonly sandboxID: string;
}

interface Rule {
  readonly name: string;
  readonly matches: (pod: Pod, newest: PodSandboxStatus, readyCount: number) => boolean;
  /** Whether the id of the old sandbox is dropped, so that no event reports the change. */
  readonly forgetsID?: boolean;
}

const networkOf = ({ linux }: PodSandboxStatus): string => linux?.namespaces?.options?.network ?? 'POD';
const networkWanted = ({ spec }: Pod): string => (spec.hostNetwork ? 'NODE' : 'POD');

/** The rules in the order of their precedence. The first rule that matches decides. */
const rules: readonly Rule[] = [
  { name: 'moreThanOneReady', matches: (_pod, _newest, readyCount) => readyCount > 1 },
  { name: 'newestNotReady', matches: (_pod, { state }) => state !== 'SANDBOX_READY' },
  {
    name: 'networkNamespaceChanged',
    matches: (pod, newest) => networkOf(newest) !== networkWanted(pod),
    forgetsID: true,
  },
  // v1.20 doesn't check whether the network status is missing; because the runtimes at the time of v1.20 always set it.
  {
    name: 'noAddress',
    matches: (pod, { network }) => !pod.spec.hostNetwork && network !== undefined && network.ip === '',
  },
];

/**
 * Compares the pod's sandboxes with the expected state: one ready sandbox that has an address and the pod's network
 * mode.
 */
export function podSandboxChanged(ctx: Context, pod: Pod, { sandboxStatuses }: PodStatus): SandboxChange {
  const [newest] = sandboxStatuses;
  if (!newest) {
    ctx.tracer.decide(ctx, 'podSandboxChanged.noSandbox', { sandboxes: 0 }, 'a new sandbox is needed: there is none');
    return { changed: true, attempt: 0, sandboxID: '' };
  }
  let readyCount = 0;
  for (const { state } of sandboxStatuses) if (state === 'SANDBOX_READY') readyCount += 1;
  const { attempt } = newest.metadata;
  for (const { name, matches, forgetsID } of rules) {
    const changed = matches(pod, newest, readyCount);
    const facts = (): Record<string, unknown> => ({
      sandbox: newest.id,
      attempt,
      state: newest.state,
      readySandboxes: readyCount,
      network: networkOf(newest),
      networkWanted: networkWanted(pod),
      ip: newest.network?.ip,
    });
    ctx.tracer.decide(ctx, `podSandboxChanged.${name}`, facts, changed ? 'a new sandbox is needed' : 'no', changed);
    if (changed) return { changed, attempt: attempt + 1, sandboxID: forgetsID ? '' : newest.id };
  }
  ctx.tracer.decide(ctx, 'podSandboxChanged.unchanged', { sandbox: newest.id, attempt }, 'the sandbox is kept');
  return { changed: false, attempt, sandboxID: newest.id };
}
