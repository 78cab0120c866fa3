/** Groups decisions. A group contains the rules that one function evaluated about one container. */
import type { DecisionRecord } from '@podscope/trace';

export interface DecisionGroup {
  /** Name of the function: `podSandboxChanged`, `computePodActions`. */
  readonly name: string;
  readonly container: string | undefined;
  readonly decisions: readonly DecisionRecord[];
}

const nameOf = (rule: string): string => rule.split('.', 1)[0] ?? rule;

const containerOf = ({ facts }: DecisionRecord): string | undefined =>
  typeof facts['container'] === 'string' ? facts['container'] : undefined;

/** Returns the groups in order. Consecutive rules of the same function and container form one group. */
export function groupDecisions(decisions: readonly DecisionRecord[]): readonly DecisionGroup[] {
  const groups: { name: string; container: string | undefined; decisions: DecisionRecord[] }[] = [];
  for (const decision of decisions) {
    const name = nameOf(decision.rule);
    const container = containerOf(decision);
    const last = groups.at(-1);
    if (last && last.name === name && last.container === container) last.decisions.push(decision);
    else groups.push({ name, container, decisions: [decision] });
  }
  return groups;
}
