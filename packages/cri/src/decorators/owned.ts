/**
 * Shares a runtime between several users: labels the sandboxes and containers of one and hides all others. A kubelet
 * stops every listed sandbox that it has no pod for, so it must not see those of other users.
 */
import type { ContainerEventResponse } from '../messages.ts';
import type { RuntimeService } from '../services.ts';

/** The label with the owner of a sandbox or container. */
export const ownerLabel = 'io.podscope.owner';

interface Labelled {
  readonly labels?: Readonly<Record<string, string>>;
}

interface Filtered {
  readonly filter?: { readonly labelSelector?: Readonly<Record<string, string>> };
}

/**
 * Returns the runtime restricted to one owner. Calls by id are passed on, because an owner knows only its own ids.
 * @param owner identifies the user; must be the same after a restart
 */
export function ownedRuntimeService(service: RuntimeService, owner: string): RuntimeService {
  const mark = { [ownerLabel]: owner };
  const marked = <Config extends Labelled>(config: Config): Config => ({
    ...config,
    labels: { ...config.labels, ...mark },
  });
  const narrowed = <Request extends Filtered>(request: Request): Request => ({
    ...request,
    filter: { ...request.filter, labelSelector: { ...request.filter?.labelSelector, ...mark } },
  });
  const owned: Partial<RuntimeService> = {
    runPodSandbox: (ctx, request) => service.runPodSandbox(ctx, { ...request, config: marked(request.config) }),
    createContainer: (ctx, request) =>
      service.createContainer(ctx, {
        ...request,
        config: marked(request.config),
        sandboxConfig: marked(request.sandboxConfig),
      }),
    listPodSandbox: (ctx, request) => service.listPodSandbox(ctx, narrowed(request)),
    streamPodSandboxes: (ctx, request) => service.streamPodSandboxes(ctx, narrowed(request)),
    listContainers: (ctx, request) => service.listContainers(ctx, narrowed(request)),
    streamContainers: (ctx, request) => service.streamContainers(ctx, narrowed(request)),
    listContainerStats: (ctx, request) => service.listContainerStats(ctx, narrowed(request)),
    streamContainerStats: (ctx, request) => service.streamContainerStats(ctx, narrowed(request)),
    listPodSandboxStats: (ctx, request) => service.listPodSandboxStats(ctx, narrowed(request)),
    streamPodSandboxStats: (ctx, request) => service.streamPodSandboxStats(ctx, narrowed(request)),
    async *getContainerEvents(ctx, request) {
      for await (const event of service.getContainerEvents(ctx, request)) if (isOf(event, owner)) yield event;
    },
  };
  return new Proxy(service, { get: (target, key) => Reflect.get(owned, key) ?? bound(target, key) });
}

/**
 * Returns true for the owner's events and those without a sandbox status, which only cause the reader to list again.
 */
const isOf = ({ podSandboxStatus }: ContainerEventResponse, owner: string): boolean =>
  podSandboxStatus === undefined || podSandboxStatus.labels[ownerLabel] === owner;

function bound(target: RuntimeService, key: PropertyKey): unknown {
  const member: unknown = Reflect.get(target, key);
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}
