/**
 * Evaluates pods against a level of the Pod Security Standards, because creating a privileged pod gives control of the
 * machine. Server options permit individual violations of the baseline level. Upstream: pod-security-admission (v1.36).
 */
import type { Pod } from '@podscope/k8s';
import { baselineChecks } from './baseline.ts';
import { type Finding, type Permission, type PodSecurityCheck, sortedUnique } from './check.ts';
import { restrictedChecks } from './restricted.ts';

/** Upstream: api.Level. */
export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** A level and the violations that are permitted. */
export interface PodPolicyOptions {
  /** The level that pods must meet. Default: baseline. */
  readonly podSecurity?: PodSecurityLevel;
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
}

/** The baseline level without exceptions. */
export const baselinePolicy: PodPolicyOptions = {
  podSecurity: 'baseline',
  allowPrivileged: false,
  allowHostPath: false,
  allowHostNamespaces: false,
};

/** A violation that isn't permitted. */
export interface PolicyViolation extends Finding {
  /** The level that the pod violates. */
  readonly level: PodSecurityLevel;
  /**
   * The option that permits the violation at the baseline level; undefined if the baseline level permits it without an
   * option.
   */
  readonly allowedBy?: Permission;
}

/** The checks of a level. Upstream: checkRegistry.EvaluatePod. */
function checksOf(level: PodSecurityLevel): readonly PodSecurityCheck[] {
  if (level === 'privileged') return [];
  if (level === 'baseline') return baselineChecks;
  const overridden = new Set(restrictedChecks.flatMap(({ overrides = [] }) => overrides));
  return [...baselineChecks.filter(({ id }) => !overridden.has(id)), ...restrictedChecks];
}

/** Returns all violations that neither the level nor an option permits. */
export function findPolicyViolations(pod: Pod, options: PodPolicyOptions): readonly PolicyViolation[] {
  const level = options.podSecurity ?? 'baseline';
  return checksOf(level).flatMap(({ allowedBy, overrides = [], find }) => {
    const found = allowedBy !== undefined && options[allowedBy] ? undefined : find(pod);
    if (found === undefined) return [];
    // The option of the replaced baseline check. It would permit the pod at the baseline level.
    const below = baselineChecks.find((check) => overrides.includes(check.id) && check.find(pod))?.allowedBy;
    const permission = allowedBy ?? below;
    return [{ ...found, level, ...(permission && { allowedBy: permission }) }];
  });
}

/** Option names as typed on the command line. */
const optionNames: Readonly<Record<Permission, string>> = {
  allowPrivileged: '--allow-privileged',
  allowHostPath: '--allow-host-path',
  allowHostNamespaces: '--allow-host-namespaces',
};

/** Returns the options that would permit the pod, as text for the command line. */
function remedy(violations: readonly PolicyViolation[]): string {
  const flags = sortedUnique(
    violations.flatMap(({ allowedBy }) => (allowedBy === undefined ? [] : [optionNames[allowedBy]])),
  );
  // The restricted level can't be combined with options that permit violations of the baseline.
  const restricted = violations.some(({ level }) => level === 'restricted');
  return [...(restricted ? ['--pod-security baseline'] : []), ...flags].join(' ');
}

/**
 * Formats violations for the error message, after `pods "web" is forbidden: `. Upstream: the message of PodSecurity
 * admission (v1.36).
 */
export function formatPolicyViolations(violations: readonly PolicyViolation[]): string {
  const list = violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
  return (
    `violates PodSecurity "${violations[0]?.level ?? 'baseline'}:latest": ${list}; start the server with ` +
    `${remedy(violations)} to permit it`
  );
}
