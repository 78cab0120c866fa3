/**
 * One user among several of a runtime: marks the sandboxes and containers it makes, and sees no others. A kubelet takes every sandbox that
 * its runtime lists for its own, and ends those it has no pod for; on a runtime that others use too, that must not happen.
 */
import type { ContainerEventResponse } from './messages.ts';
import type { RuntimeService } from './services.ts';

/** The label that says whose a sandbox or container is. */
export const ownerLabel = 'io.podscope.owner';

interface Labelled {
  readonly labels?: Readonly<Record<string, string>>;
}

interface Filtered {
  readonly filter?: { readonly labelSelector?: Readonly<Record<string, string>> };
}

/**
 * The same runtime, as far as it is `owner`'s. Calls by id are passed on as they are: an owner knows only ids of its own.
 * @param owner what sets this user apart from others, and is the same at its next start
 */
export function ownedRuntimeService(service: RuntimeService, owner: string): RuntimeService {
  const mark = { [ownerLabel]: owner };
  const marked = <Config extends Labelled>(config: Config): Config => ({ ...config, labels: { ...config.labels, ...mark } });
  const narrowed = <Request extends Filtered>(request: Request): Request => ({
    ...request,
    filter: { ...request.filter, labelSelector: { ...request.filter?.labelSelector, ...mark } },
  });
  const owned: Partial<RuntimeService> = {
    runPodSandbox: (ctx, request) => service.runPodSandbox(ctx, { ...request, config: marked(request.config) }),
    createContainer: (ctx, request) =>
      service.createContainer(ctx, { ...request, config: marked(request.config), sandboxConfig: marked(request.sandboxConfig) }),
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

/** An event that does not say whose it is (its sandbox is gone) is for everybody: it only makes the reader look again. */
const isOf = ({ podSandboxStatus }: ContainerEventResponse, owner: string): boolean =>
  podSandboxStatus === undefined || podSandboxStatus.labels[ownerLabel] === owner;

function bound(target: RuntimeService, key: PropertyKey): unknown {
  const member: unknown = Reflect.get(target, key);
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}
