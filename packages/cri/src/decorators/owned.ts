/**
 * Shares a runtime between several users. Labels the sandboxes and containers of one user and hides all others. A
 * kubelet stops every sandbox in the list that belongs to none of its pods, so it must not see the sandboxes of other
 * users.
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
 * Returns the runtime restricted to one owner. Calls with an id aren't checked, because an owner knows only its own
 * ids.
 * @param owner the name of the user; it must not change when the user restarts
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
 * Returns true for an event of the owner. An event without a sandbox status counts as the owner's: it names no pod and
 * only makes the kubelet list the containers again.
 */
const isOf = ({ podSandboxStatus }: ContainerEventResponse, owner: string): boolean =>
  podSandboxStatus === undefined || podSandboxStatus.labels[ownerLabel] === owner;

function bound(target: RuntimeService, key: PropertyKey): unknown {
  const member: unknown = Reflect.get(target, key);
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}
