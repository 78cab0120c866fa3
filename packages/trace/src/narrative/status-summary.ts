/** Summarizes a pod's status in a few words, and describes its changes. */

interface ContainerState {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: object;
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
}

interface Status {
  readonly phase?: string;
  readonly reason?: string;
  readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  readonly initContainerStatuses?: readonly ContainerState[];
  readonly containerStatuses?: readonly ContainerState[];
  readonly ephemeralContainerStatuses?: readonly ContainerState[];
}

/** The parts of a status that users notice. */
export interface StatusSummary {
  readonly phase: string;
  readonly reason: string | undefined;
  readonly ready: boolean;
  /** The state of each container in a word, with the number of restarts, by container name. */
  readonly containers: ReadonlyMap<string, string>;
}

function wordOf({ state, restartCount = 0 }: ContainerState): string {
  const word =
    state?.waiting?.reason ??
    (state?.running
      ? 'running'
      : state?.terminated
        ? `${state.terminated.reason ?? 'terminated'}(${state.terminated.exitCode ?? '?'})`
        : 'waiting');
  return restartCount > 0 ? `${word} ↻${restartCount}` : word;
}

/** Summarizes a v1.PodStatus from an event. */
export function summarizeStatus(status: Readonly<Record<string, unknown>>): StatusSummary {
  const { phase = 'Unknown', reason, conditions = [], ...rest } = status as Status;
  const all = [
    ...(rest.initContainerStatuses ?? []),
    ...(rest.containerStatuses ?? []),
    ...(rest.ephemeralContainerStatuses ?? []),
  ];
  return {
    phase,
    reason,
    ready: conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    containers: new Map(all.map((container) => [container.name ?? '', wordOf(container)])),
  };
}

/** Describes the differences between two statuses; empty if users wouldn't notice any. */
export function describeStatusChange(before: StatusSummary | undefined, after: StatusSummary): string {
  const parts: string[] = [];
  const phase = after.reason ? `${after.phase} (${after.reason})` : after.phase;
  if (before?.phase !== after.phase || before.reason !== after.reason)
    parts.push(before ? `${before.phase} → ${phase}` : phase);
  if ((before?.ready ?? false) !== after.ready) parts.push(after.ready ? 'ready' : 'not ready');
  for (const [name, word] of after.containers) if (before?.containers.get(name) !== word) parts.push(`${name} ${word}`);
  return parts.join(', ');
}
