/** PodSandboxStatus: a sandbox as CRI sees it. */
import type { NamespaceMode, PodSandboxStatus, PodSandboxStatusRequest, PodSandboxStatusResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ContainerInspect } from '../docker/schemas.ts';
import { extractLabels, labelKeys } from '../labels.ts';
import { sandboxMetadataOf } from '../metadata.ts';
import type { Shim } from '../shim.ts';
import { containerTimestamp } from '../timestamps.ts';
import { sandboxState } from './sandbox-state.ts';

/** Upstream: PodSandboxStatus (dockershim docker_sandbox.go, v1.20). @throws CriError NotFound */
export async function podSandboxStatus(shim: Shim, ctx: Context, request: PodSandboxStatusRequest): Promise<PodSandboxStatusResponse> {
  const sandbox = await shim.objects.inspect(ctx, request.podSandboxId, 'podsandbox');
  const status = await sandboxStatusOf(shim, ctx, sandbox);
  if (!request.verbose) return { status };
  return { status, info: { info: JSON.stringify({ pid: sandbox.State.Pid, image: sandbox.Config.Image, runtime: sandbox.HostConfig.Runtime }) } };
}

const mode = (value: string, otherwise: NamespaceMode): NamespaceMode => (value === 'host' ? 'NODE' : otherwise);

/** The status of an inspected sandbox. */
export async function sandboxStatusOf(shim: Shim, ctx: Context, sandbox: ContainerInspect): Promise<PodSandboxStatus> {
  const { HostConfig: host } = sandbox;
  const dockerLabels = sandbox.Config.Labels;
  const [ip = '', ...additional] = await sandboxIPs(shim, ctx, sandbox);
  const runtimeHandler = dockerLabels[labelKeys.runtimeHandler];
  return {
    id: sandbox.Id,
    metadata: sandboxMetadataOf(sandbox.Name, sandbox.Config.Labels),
    state: sandboxState(shim, sandbox.Id, sandbox.State.Running),
    createdAt: containerTimestamp(sandbox.Id, sandbox.Created),
    network: { ip, additionalIps: additional.map((each) => ({ ip: each })) },
    linux: {
      namespaces: {
        options: {
          network: mode(host.NetworkMode, 'POD'),
          pid: mode(host.PidMode, dockerLabels[labelKeys.pidMode] === 'POD' ? 'POD' : 'CONTAINER'),
          ipc: mode(host.IpcMode, 'POD'),
        },
      },
    },
    ...extractLabels(dockerLabels),
    ...(runtimeHandler ? { runtimeHandler } : {}),
  };
}

/** A sandbox's addresses: the plugin's, else the engine's. Never fails. Upstream: getIPs (dockershim docker_sandbox.go, v1.20). */
async function sandboxIPs(shim: Shim, ctx: Context, sandbox: ContainerInspect): Promise<readonly string[]> {
  const { NetworkSettings: settings, HostConfig } = sandbox;
  const state = shim.networkStates.get(sandbox.Id);
  if (!settings || HostConfig.NetworkMode === 'host' || state === 'none' || state === 'tornDown') return [];
  // Its plugin is at work and would be waited for.
  if (shim.startingSandboxes.has(sandbox.Id)) return [];
  const { name, namespace } = sandboxMetadataOf(sandbox.Name, sandbox.Config.Labels);
  const known = await shim.network.podIPs(ctx, { namespace, name, sandboxId: sandbox.Id }).catch((error: unknown) => {
    const message = `Asked the engine for the addresses of sandbox ${sandbox.Id}: the network plugin failed: ${String(error)}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    return undefined;
  });
  if (known && known.length > 0) return known;
  // The top-level addresses went away with newer engines; each network still has its own.
  const endpoints = [settings, ...Object.values(settings.Networks)];
  const first = (key: 'IPAddress' | 'GlobalIPv6Address'): string => endpoints.find((endpoint) => endpoint[key])?.[key] ?? '';
  return [first('IPAddress'), first('GlobalIPv6Address')].filter(Boolean);
}
