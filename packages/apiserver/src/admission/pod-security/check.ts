/** Declares the types and helpers of the Pod Security checks. Upstream: pod-security-admission/policy (v1.36). */
import type { Container, Pod, PodSecurityContext, SecurityContext } from '@podscope/k8s';

/** A violation of a level by a pod. Upstream: CheckResult. */
export interface Finding {
  /** The forbidden setting, such as `hostPath volumes`. Upstream: ForbiddenReason. */
  readonly reason: string;
  /** The parts of the pod that have this setting, such as `volume "data"`. Upstream: ForbiddenDetail. */
  readonly detail: string;
}

/** The server options that permit individual violations of the baseline level. */
export type Permission = 'allowPrivileged' | 'allowHostPath' | 'allowHostNamespaces';

/** One check of a level. */
export interface PodSecurityCheck {
  /** Upstream: Check.ID. */
  readonly id: string;
  /**
   * The server option that permits the violation. Checks of the restricted level have no option: only another level
   * disables them.
   */
  readonly allowedBy?: Permission;
  /** The baseline checks that this check replaces. Upstream: OverrideCheckIDs. */
  readonly overrides?: readonly string[];
  readonly find: (pod: Pod) => Finding | undefined;
}

/** The security context of a pod or a container. Checks read only fields that both have. */
export type AnySecurityContext = SecurityContext & PodSecurityContext;

/** Returns the init, regular and ephemeral containers. Upstream: visitContainers. */
export const allContainers = ({ spec }: Pod): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...(spec.ephemeralContainers ?? []),
];

/** Upstream: joinQuote. */
export const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** Upstream: pluralize. */
export const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`);

/** Returns `container "a"` or `containers "a", "b"`. */
export const containersNamed = (names: readonly string[]): string =>
  `${plural('container', names.length)} ${quoted(names)}`;

/** Returns the distinct values in the order of Go's sorted sets. */
export const sortedUnique = (values: Iterable<string>): readonly string[] => [...new Set(values)].toSorted();

/** Groups containers by their violation and omits containers without one. */
export function offendersAmong(
  containers: readonly Container[],
  offence: (container: Container) => readonly string[],
): { readonly names: readonly string[]; readonly values: readonly string[] } {
  const found = containers
    .map((container) => ({ name: container.name, values: offence(container) }))
    .filter(({ values }) => values.length > 0);
  return { names: found.map(({ name }) => name), values: sortedUnique(found.flatMap(({ values }) => values)) };
}

/**
 * Names the pod and the containers that set a forbidden value, for example `pod and container "a"`. Returns undefined
 * if the value is set nowhere.
 */
export function settersOf(pod: Pod, offends: (context: AnySecurityContext) => boolean): string | undefined {
  const names = allContainers(pod)
    .filter(({ securityContext }) => securityContext !== undefined && offends(securityContext))
    .map(({ name }) => name);
  const own = pod.spec.securityContext !== undefined && offends(pod.spec.securityContext);
  const setters = [...(own ? ['pod'] : []), ...(names.length > 0 ? [containersNamed(names)] : [])];
  return setters.length > 0 ? setters.join(' and ') : undefined;
}

/** Reads one field from the security context of the pod and from those of all containers. */
export const contextValues = (pod: Pod, read: (context: AnySecurityContext) => string | undefined): readonly string[] =>
  sortedUnique(
    [pod.spec.securityContext, ...allContainers(pod).map(({ securityContext }) => securityContext)].flatMap(
      (context) => {
        const value = context === undefined ? undefined : read(context);
        return value === undefined ? [] : [value];
      },
    ),
  );
