/** Implements PodSandboxStatus. Upstream: dockershim docker_sandbox.go (v1.20). */
import type { NamespaceMode, PodSandboxStatus, PodSandboxStatusRequest, PodSandboxStatusResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { extractLabels, labelKeys } from '../objects/labels.ts';
import { sandboxMetadataOf } from '../objects/metadata.ts';
import { containerTimestamp } from '../objects/timestamps.ts';
import { sandboxState } from './sandbox-state.ts';

/**
 * Returns the status of a sandbox; with `verbose` also its pid, image and runtime.
 * @throws CriError NotFound
 */
export async function podSandboxStatus(
  ctx: Context,
  dependencies: DockershimDependencies,
  request: PodSandboxStatusRequest,
): Promise<PodSandboxStatusResponse> {
  const sandbox = await dependencies.objects.inspect(ctx, request.podSandboxId, 'podsandbox');
  const status = await sandboxStatusOf(ctx, dependencies, sandbox);
  if (!request.verbose) return { status };
  return {
    status,
    info: {
      info: JSON.stringify({
        pid: sandbox.State.Pid,
        image: sandbox.Config.Image,
        runtime: sandbox.HostConfig.Runtime,
      }),
    },
  };
}

const mode = (value: string, otherwise: NamespaceMode): NamespaceMode => (value === 'host' ? 'NODE' : otherwise);

/** Returns the CRI status of an inspected sandbox. */
export async function sandboxStatusOf(
  ctx: Context,
  dependencies: DockershimDependencies,
  sandbox: ContainerInspect,
): Promise<PodSandboxStatus> {
  const { HostConfig: host } = sandbox;
  const dockerLabels = sandbox.Config.Labels;
  const [ip = '', ...additional] = await sandboxIPs(ctx, dependencies, sandbox);
  const runtimeHandler = dockerLabels[labelKeys.runtimeHandler];
  return {
    id: sandbox.Id,
    metadata: sandboxMetadataOf(sandbox.Name, sandbox.Config.Labels),
    state: sandboxState(dependencies, sandbox.Id, sandbox.State.Running),
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

/**
 * Returns the addresses of a sandbox from the network plugin; if the plugin reports none, from the engine. Never
 * throws. Upstream: getIPs (dockershim docker_sandbox.go, v1.20).
 */
async function sandboxIPs(
  ctx: Context,
  dependencies: DockershimDependencies,
  sandbox: ContainerInspect,
): Promise<readonly string[]> {
  const { NetworkSettings: settings, HostConfig } = sandbox;
  const state = dependencies.networkStates.get(sandbox.Id);
  if (!settings || HostConfig.NetworkMode === 'host' || state === 'none' || state === 'tornDown') return [];
  // The network plugin hasn't finished setting up the network, so the addresses aren't known yet.
  if (dependencies.startingSandboxes.has(sandbox.Id)) return [];
  const { name, namespace } = sandboxMetadataOf(sandbox.Name, sandbox.Config.Labels);
  const known = await dependencies.network
    .podIPs(ctx, { namespace, name, sandboxId: sandbox.Id })
    .catch((error: unknown) => {
      const message =
        `Asked the engine for the addresses of sandbox ${sandbox.Id}: the network plugin failed: ` + String(error);
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
      return undefined;
    });
  if (known && known.length > 0) return known;
  // Newer engines report addresses only per network.
  const endpoints = [settings, ...Object.values(settings.Networks)];
  const first = (key: 'IPAddress' | 'GlobalIPv6Address'): string =>
    endpoints.find((endpoint) => endpoint[key])?.[key] ?? '';
  return [first('IPAddress'), first('GlobalIPv6Address')].filter(Boolean);
}
