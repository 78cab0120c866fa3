/** PodSandboxStatus and ListPodSandbox of v1.20. */
import type {
  ListPodSandboxRequest,
  ListPodSandboxResponse,
  PodSandbox,
  PodSandboxMetadata,
  PodSandboxStatusRequest,
  PodSandboxStatusResponse,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { CorruptCheckpointError } from '../checkpoint/checkpoint.ts';
import type { ContainerInspect, ContainerSummary } from '../docker/schemas.ts';
import { extractLabels, labelFilters } from '../labels.ts';
import { parseSandboxName } from '../names.ts';
import { secondsToNanoseconds } from '../timestamps.ts';
import type { ShimV120 } from './shim.ts';
import { goNanoseconds } from './timestamps.ts';

/** Upstream: PodSandboxStatus (dockershim docker_sandbox.go, v1.20). */
export async function podSandboxStatus(shim: ShimV120, ctx: Context, { podSandboxId }: PodSandboxStatusRequest): Promise<PodSandboxStatusResponse> {
  const sandbox = await shim.objects.inspect(ctx, podSandboxId, 'podsandbox');
  const { Id: id, HostConfig: host } = sandbox;
  const metadata = parseSandboxName(sandbox.Name);
  const createdAt = goNanoseconds(id, sandbox.Created);
  const [ip = '', ...additional] = await sandboxIPs(shim, ctx, sandbox, metadata);
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
            // A shared PID namespace was never told.
            pid: host.PidMode === 'host' ? 'NODE' : 'CONTAINER',
            ipc: host.IpcMode === 'host' ? 'NODE' : 'POD',
          },
        },
      },
      ...extractLabels(sandbox.Config.Labels),
    },
  };
}

/** The plugin's addresses, else the engine's. Upstream: getIPs (dockershim docker_sandbox.go, v1.20). */
async function sandboxIPs(shim: ShimV120, ctx: Context, sandbox: ContainerInspect, { name, namespace }: PodSandboxMetadata): Promise<readonly string[]> {
  const { NetworkSettings: settings, HostConfig, Id } = sandbox;
  const facts = { networkMode: HostConfig.NetworkMode, networkReady: shim.networkReady.get(Id) ?? 'not known', plugin: shim.network.name };
  const tell = (outcome: string): void => ctx.tracer.decide(ctx, 'sandboxIPs.source', facts, outcome);
  if (!settings || HostConfig.NetworkMode === 'host' || shim.networkReady.get(Id) === false) {
    tell('nobody: it has no network of its own');
    return [];
  }
  const known = await shim.network.podIPs(ctx, { namespace, name, sandboxId: Id }).catch((error: unknown) => {
    const message = `Asked the engine for the addresses of sandbox ${Id}: the network plugin failed: ${String(error)}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    return undefined;
  });
  tell(known ? 'the network plugin' : 'the engine');
  return known ?? [settings.IPAddress, settings.GlobalIPv6Address].filter(Boolean);
}

/** Upstream: ListPodSandbox (dockershim docker_sandbox.go, v1.20). */
export async function listPodSandbox(shim: ShimV120, ctx: Context, { filter }: ListPodSandboxRequest): Promise<ListPodSandboxResponse> {
  // Read before the containers: a sandbox that is being created must not look lost.
  const checkpointIDs = filter ? [] : await shim.checkpoints.list().catch(() => []);
  const label = [...shim.objects.labelFilter('podsandbox'), ...labelFilters(filter?.labelSelector ?? {})];
  const state = filter?.state?.state;
  const summaries = await shim.docker.listContainers(ctx, {
    all: state !== 'SANDBOX_READY',
    filters: { label, ...(filter?.id ? { id: [filter.id] } : {}) },
  });
  const items = summaries.flatMap(toSandbox).filter((item) => !(state === 'SANDBOX_NOTREADY' && item.state === 'SANDBOX_READY'));
  const seen = new Set(summaries.map(({ Id }) => Id));
  for (const id of checkpointIDs) if (!seen.has(id)) items.push(...(await lostSandbox(shim, id)));
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

/** A sandbox whose container is gone: shown, so that the caller stops and removes it. */
async function lostSandbox(shim: ShimV120, id: string): Promise<PodSandbox[]> {
  try {
    const checkpoint = await shim.checkpoints.get(id);
    if (!checkpoint) return [];
    const metadata = { name: checkpoint.name, namespace: checkpoint.namespace, uid: '', attempt: 0 };
    return [{ id, metadata, state: 'SANDBOX_NOTREADY', createdAt: 0n, labels: {}, annotations: {} }];
  } catch (error) {
    // One that cannot be read at all stays.
    if (error instanceof CorruptCheckpointError && error.cause === undefined) await shim.checkpoints.remove(id);
    return [];
  }
}
