/** What a check of the Pod Security Standards is made of. Upstream: pod-security-admission/policy (v1.36). */
import type { Container, Pod, PodSecurityContext, SecurityContext } from '@podscope/k8s';

/** What a pod does that a level forbids. Upstream: CheckResult. */
export interface Finding {
  /** `hostPath volumes`. Upstream: ForbiddenReason. */
  readonly reason: string;
  /** `volume "data"`. Upstream: ForbiddenDetail. */
  readonly detail: string;
}

/** The options of the server that permit what a check forbids. */
export type Permission = 'allowPrivileged' | 'allowHostPath' | 'allowHostNamespaces';

/** One control of a level. */
export interface PodSecurityCheck {
  /** Upstream: Check.ID. */
  readonly id: string;
  /** What lifts it; what only the restricted level asks for is lifted by another level. */
  readonly allowedBy?: Permission;
  /** Checks of the baseline level that this one says more about. Upstream: OverrideCheckIDs. */
  readonly overrides?: readonly string[];
  readonly find: (pod: Pod) => Finding | undefined;
}

/** Either context: their common members are what checks look at. */
export type AnySecurityContext = SecurityContext & PodSecurityContext;

/** Init, regular and ephemeral containers. Upstream: visitContainers. */
export const allContainers = ({ spec }: Pod): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];

/** Upstream: joinQuote. */
export const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** Upstream: pluralize. */
export const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`);

/** `container "a"`, `containers "a", "b"` */
export const containersNamed = (names: readonly string[]): string => `${plural('container', names.length)} ${quoted(names)}`;

/** Each once, in the order of Go's sorted sets. */
export const sortedUnique = (values: Iterable<string>): readonly string[] => [...new Set(values)].toSorted();

/** Containers by what they do wrong; those that do nothing wrong are left out. */
export function offendersAmong(
  containers: readonly Container[],
  offence: (container: Container) => readonly string[],
): { readonly names: readonly string[]; readonly values: readonly string[] } {
  const found = containers.map((container) => ({ name: container.name, values: offence(container) })).filter(({ values }) => values.length > 0);
  return { names: found.map(({ name }) => name), values: sortedUnique(found.flatMap(({ values }) => values)) };
}

/** Who of the pod and its containers sets something bad: `pod and container "a"`; undefined when nobody does. */
export function settersOf(pod: Pod, offends: (context: AnySecurityContext) => boolean): string | undefined {
  const names = allContainers(pod)
    .filter(({ securityContext }) => securityContext !== undefined && offends(securityContext))
    .map(({ name }) => name);
  const own = pod.spec.securityContext !== undefined && offends(pod.spec.securityContext);
  const setters = [...(own ? ['pod'] : []), ...(names.length > 0 ? [containersNamed(names)] : [])];
  return setters.length > 0 ? setters.join(' and ') : undefined;
}

/** The pod's and all containers' values of something in their contexts. */
export const contextValues = (pod: Pod, read: (context: AnySecurityContext) => string | undefined): readonly string[] =>
  sortedUnique(
    [pod.spec.securityContext, ...allContainers(pod).map(({ securityContext }) => securityContext)].flatMap((context) => {
      const value = context === undefined ? undefined : read(context);
      return value === undefined ? [] : [value];
    }),
  );
