/**
 * Matches a node against a pod's node selector and required node affinity. Upstream:
 * component-helpers/scheduling/corev1/nodeaffinity (v1.36).
 */
import type { Node, Pod, StringMap } from '@podscope/k8s';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Term {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

function matches(value: string | undefined, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** Returns the value of a key. Ignores inherited properties, because a label may be named `constructor`. */
const valueOf = (map: StringMap, key: string): string | undefined => (Object.hasOwn(map, key) ? map[key] : undefined);

function termMatches({ matchExpressions = [], matchFields = [] }: Term, labels: StringMap, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const fields: StringMap = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((requirement) => matches(valueOf(labels, requirement.key), requirement)) &&
    matchFields.every((requirement) => matches(valueOf(fields, requirement.key), requirement))
  );
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** True when the node's labels and fields match the pod's selector and required affinity. */
export function matchesNodeSelectorAndAffinity({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (!Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false;
  const required = member(member(spec.affinity, 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution');
  const terms = member(required, 'nodeSelectorTerms');
  if (!Array.isArray(terms)) return true;
  return (terms as readonly Term[]).some((term) => termMatches(term, labels, node));
}
