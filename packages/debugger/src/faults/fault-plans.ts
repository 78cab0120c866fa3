/** Parses fault plans: named lists of faults in YAML. */
import { type ParseLimits, readDocuments } from '@podscope/k8s';
import { type FaultPlan, type FaultPlanState, faultPlanSchema, type ManifestError } from '@podscope/protocol';
import { isNode } from 'yaml';
import type { z } from 'zod';

const limits: ParseLimits = {
  subject: 'the plan',
  maxBytes: 262_144,
  maxDocuments: 1,
  maxDepth: 64,
  maxAliasCount: 10,
};

/** A plan, or the errors in its text. */
export type ParsedFaultPlan =
  | { readonly plan: FaultPlan; readonly errors: readonly [] }
  | { readonly plan?: undefined; readonly errors: readonly ManifestError[] };

/** Formats a path such as `faults[0].fail.grpc`. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Parses a plan. Errors name the field and the line. */
export function parseFaultPlan(yaml: string): ParsedFaultPlan {
  const { documents, errors: faults } = readDocuments(yaml, limits);
  if (faults.length > 0)
    return { errors: faults.map(({ message, line = 1, column = 1 }) => ({ message, line, column })) };
  const [document] = documents;
  const at = (offset: number): Pick<ManifestError, 'line' | 'column'> => {
    const { line, col } = document?.lines.linePos(offset) ?? { line: 1, col: 1 };
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const parsed = faultPlanSchema.safeParse(document?.data, { reportInput: true });
  if (parsed.success) return { plan: parsed.data, errors: [] };
  const errors = parsed.error.issues.flatMap((issue) => {
    // For a union, report the errors of the alternative that is closest to the value: they help the author most.
    const inner =
      issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => distance(a) - distance(b))[0] : undefined;
    return (inner ?? [issue]).map(({ path, message }) => ({ path: inner ? [...issue.path, ...path] : path, message }));
  });
  return {
    errors: errors.map(({ path, message }) => {
      let offset = 0;
      for (let depth = path.length; depth >= 0; depth--) {
        const node: unknown = depth === 0 ? document?.yaml.contents : document?.yaml.getIn(path.slice(0, depth), true);
        if (isNode(node) && node.range) {
          offset = node.range[0];
          break;
        }
      }
      return { message, field: fieldOf(path), ...at(offset) };
    }),
  };
}

/**
 * Returns how far a value is from an alternative of a union; larger means less similar. Unknown and missing members
 * count most.
 */
const distance = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce(
    (sum, { code, input, path }) =>
      sum +
      (code === 'unrecognized_keys' || (path.length > 0 && input === undefined && code === 'invalid_type') ? 10 : 1),
    0,
  );

/** A plan as it is saved. */
export interface KeptPlan {
  readonly plan: FaultPlan;
  readonly yaml: string;
  readonly enabled: boolean;
  /** The time at which the plan was set or enabled. */
  readonly since: number;
}

/** Returns the name of the group that contains a plan's faults. */
export const groupOfPlan = (name: string): string => `plan/${name}`;

/** Returns the name of the plan that a group belongs to, or undefined for faults that were set individually. */
export const planOfGroup = (group: string): string | undefined =>
  group.startsWith('plan/') ? group.slice('plan/'.length) : undefined;

export const planState = ({ plan, yaml, enabled }: KeptPlan): FaultPlanState => ({
  name: plan.name,
  description: plan.description,
  enabled,
  faults: plan.faults.length,
  yaml,
});
