/** Implements PodSandboxStatus and ListPodSandbox of v1.20. Upstream: dockershim docker_sandbox.go (v1.20). */
import type {
  ListPodSandboxRequest,
  ListPodSandboxResponse,
  PodSandbox,
  PodSandboxMetadata,
  PodSandboxStatusRequest,
  PodSandboxStatusResponse,
} from '@podscope/cri';
import { CorruptCheckpointError } from '@podscope/cri/sandbox-checkpoint';
import type { Context } from '@podscope/trace';
import type { ContainerInspect, ContainerSummary } from '../../docker/schemas.ts';
import { extractLabels, labelFilters, labelKeys } from '../../objects/labels.ts';
import { parseSandboxName } from '../../objects/names.ts';
import { secondsToNanoseconds } from '../../objects/timestamps.ts';
import { goNanoseconds } from '../../objects/v1-20/timestamps.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';

/** Returns the status of a sandbox. Upstream: PodSandboxStatus (dockershim docker_sandbox.go, v1.20). */
export async function podSandboxStatus(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { podSandboxId }: PodSandboxStatusRequest,
): Promise<PodSandboxStatusResponse> {
  const sandbox = await dependencies.objects.inspect(ctx, podSandboxId, 'podsandbox');
  const { Id: id, HostConfig: host } = sandbox;
  const metadata = parseSandboxName(sandbox.Name);
  const sharesPid = sandbox.Config.Labels[labelKeys.pidMode] === 'POD';
  const createdAt = goNanoseconds(id, sandbox.Created);
  const [ip = '', ...additional] = await sandboxIPs(ctx, dependencies, sandbox, metadata);
  return {
    status: {
      id,
      metadata,
      state: sandbox.State.Running ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
      createdAt,
      network: { ip, additionalIps: additional.map((each) => ({ ip: each })) },
      linux: {
        namespaces: {
          options: {
            network: host.NetworkMode === 'host' ? 'NODE' : 'POD',
            // Unlike upstream, a PID namespace that the containers share is reported as POD.
            pid: host.PidMode === 'host' ? 'NODE' : sharesPid ? 'POD' : 'CONTAINER',
            ipc: host.IpcMode === 'host' ? 'NODE' : 'POD',
          },
        },
      },
      ...extractLabels(sandbox.Config.Labels),
    },
  };
}

/**
 * Returns the addresses from the network plugin; if the plugin reports none, from the engine. Upstream: getIPs
 * (dockershim docker_sandbox.go, v1.20).
 */
async function sandboxIPs(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  sandbox: ContainerInspect,
  { name, namespace }: PodSandboxMetadata,
): Promise<readonly string[]> {
  const { NetworkSettings: settings, HostConfig, Id } = sandbox;
  const facts = {
    networkMode: HostConfig.NetworkMode,
    networkReady: dependencies.networkReady.get(Id) ?? 'not known',
    plugin: dependencies.network.name,
  };
  const recordDecision = (outcome: string): void => ctx.tracer.decide(ctx, 'sandboxIPs.source', facts, outcome);
  if (!settings || HostConfig.NetworkMode === 'host' || dependencies.networkReady.get(Id) === false) {
    recordDecision('none: the sandbox has no network');
    return [];
  }
  const known = await dependencies.network.podIPs(ctx, { namespace, name, sandboxId: Id }).catch((error: unknown) => {
    const message = `Asked the engine for the addresses of sandbox ${Id}: the network plugin failed: ${String(error)}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    return undefined;
  });
  recordDecision(known ? 'the network plugin' : 'the engine');
  return known ?? [settings.IPAddress, settings.GlobalIPv6Address].filter(Boolean);
}

/**
 * Returns the sandboxes of this instance. Without a filter, the list includes sandboxes of which only a checkpoint
 * exists.
 */
export async function listPodSandbox(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { filter }: ListPodSandboxRequest,
): Promise<ListPodSandboxResponse> {
  // Checkpoints are read before the containers. In the other order, a sandbox that is created in between would have a
  // checkpoint and no container.
  const checkpointIDs = filter ? [] : await dependencies.checkpoints.list().catch(() => []);
  const label = [...dependencies.objects.labelFilter('podsandbox'), ...labelFilters(filter?.labelSelector ?? {})];
  const state = filter?.state?.state;
  const summaries = await dependencies.docker.listContainers(ctx, {
    all: state !== 'SANDBOX_READY',
    filters: { label, ...(filter?.id ? { id: [filter.id] } : {}) },
  });
  const items = summaries
    .flatMap(toSandbox)
    .filter((item) => !(state === 'SANDBOX_NOTREADY' && item.state === 'SANDBOX_READY'));
  const seen = new Set(summaries.map(({ Id }) => Id));
  for (const id of checkpointIDs) if (!seen.has(id)) items.push(...(await lostSandbox(dependencies, id)));
  return { items };
}

function toSandbox(summary: ContainerSummary): PodSandbox[] {
  const [name] = summary.Names;
  if (name === undefined) return [];
  try {
    return [
      {
        id: summary.Id,
        metadata: parseSandboxName(name),
        state: summary.Status.startsWith('Up') ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
        createdAt: secondsToNanoseconds(summary.Created),
        ...extractLabels(summary.Labels),
      },
    ];
  } catch {
    return [];
  }
}

/**
 * Returns a sandbox whose container is missing. The caller then stops and removes it. Upstream:
 * checkpointToRuntimeAPISandbox (v1.20).
 */
async function lostSandbox(dependencies: DockershimDependenciesV120, id: string): Promise<PodSandbox[]> {
  try {
    const checkpoint = await dependencies.checkpoints.get(id);
    if (!checkpoint) return [];
    const metadata = { name: checkpoint.name, namespace: checkpoint.namespace, uid: '', attempt: 0 };
    return [{ id, metadata, state: 'SANDBOX_NOTREADY', createdAt: 0n, labels: {}, annotations: {} }];
  } catch (error) {
    // v1.20 removes a corrupt checkpoint, except one that isn't JSON.
    if (error instanceof CorruptCheckpointError && error.cause === undefined) await dependencies.checkpoints.remove(id);
    return [];
  }
}
