/**
 * What a pod must not ask for on this node: whoever may create a privileged pod owns the machine. The levels are those of the Pod Security
 * Standards; options permit single things beyond the baseline. Upstream: pod-security-admission (v1.36).
 */
import type { Pod } from '@podscope/k8s';
import { baselineChecks } from './baseline.ts';
import { type Finding, type Permission, type PodSecurityCheck, sortedUnique } from './check.ts';
import { restrictedChecks } from './restricted.ts';

/** Upstream: api.Level. */
export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** A level, and what has been permitted beyond it. */
export interface PodPolicyOptions {
  /** Default: baseline. */
  readonly podSecurity?: PodSecurityLevel;
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
}

/** Nothing beyond the baseline. */
export const baselinePolicy: PodPolicyOptions = { podSecurity: 'baseline', allowPrivileged: false, allowHostPath: false, allowHostNamespaces: false };

/** One thing a pod asks for that is not permitted. */
export interface PolicyViolation extends Finding {
  /** The level that forbids it. */
  readonly level: PodSecurityLevel;
  /** The option that permits it at the baseline level; undefined where that level does already. */
  readonly allowedBy?: Permission;
}

/** The checks of a level. Upstream: checkRegistry.EvaluatePod. */
function checksOf(level: PodSecurityLevel): readonly PodSecurityCheck[] {
  if (level === 'privileged') return [];
  if (level === 'baseline') return baselineChecks;
  const overridden = new Set(restrictedChecks.flatMap(({ overrides = [] }) => overrides));
  return [...baselineChecks.filter(({ id }) => !overridden.has(id)), ...restrictedChecks];
}

/** Everything in a pod that is not permitted. */
export function findPolicyViolations(pod: Pod, options: PodPolicyOptions): readonly PolicyViolation[] {
  const level = options.podSecurity ?? 'baseline';
  return checksOf(level).flatMap(({ allowedBy, overrides = [], find }) => {
    const found = allowedBy !== undefined && options[allowedBy] ? undefined : find(pod);
    if (found === undefined) return [];
    // What it would still take at the level below.
    const below = baselineChecks.find((check) => overrides.includes(check.id) && check.find(pod))?.allowedBy;
    const permission = allowedBy ?? below;
    return [{ ...found, level, ...(permission && { allowedBy: permission }) }];
  });
}

/** Option names as a person types them. */
const optionNames: Readonly<Record<Permission, string>> = {
  allowPrivileged: '--allow-privileged',
  allowHostPath: '--allow-host-path',
  allowHostNamespaces: '--allow-host-namespaces',
};

/** What the server would have to be started with. */
function remedy(violations: readonly PolicyViolation[]): string {
  const flags = sortedUnique(violations.flatMap(({ allowedBy }) => (allowedBy === undefined ? [] : [optionNames[allowedBy]])));
  // The restricted level and options that permit more than the baseline contradict each other.
  const restricted = violations.some(({ level }) => level === 'restricted');
  return [...(restricted ? ['--pod-security baseline'] : []), ...flags].join(' ');
}

/** Violations as the answer tells them, after `pods "web" is forbidden: `. Upstream: the message of PodSecurity admission (v1.36). */
export function formatPolicyViolations(violations: readonly PolicyViolation[]): string {
  const list = violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
  return `violates PodSecurity "${violations[0]?.level ?? 'baseline'}:latest": ${list}; start the server with ${remedy(violations)} to permit it`;
}
