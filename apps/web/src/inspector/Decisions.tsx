/** Why: the rules that were weighed, what they saw, and which of them decided. */
import type { DecisionRecord, SpanRecord } from '@podscope/trace';
import { Fragment } from 'react';
import { outcomeText } from '../steps/describe-step.ts';
import { cx } from '../ui/cx.ts';
import styles from './Decisions.module.css';
import { Section } from './Section.tsx';
import { ValueTree } from './ValueTree.tsx';
import { entriesOf, isContainer, scalarText, shortId } from './value-text.ts';

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

const mostDecisions = 100;
/** Facts that fit a line stand in it; others get a tree. */
const isShort = (value: unknown): boolean => !isContainer(value) && shortId(scalarText(value)).length <= 60;

/** Those of the span and of all below it, in their order. */
export function decisionsWithin(span: SpanRecord, spanOf: SpanOf): readonly DecisionRecord[] {
  const found: DecisionRecord[] = [];
  const visit = (at: SpanRecord): void => {
    found.push(...at.decisions);
    for (const id of at.children) {
      if (found.length >= mostDecisions) return;
      const child = spanOf(id);
      if (child) visit(child);
    }
  };
  visit(span);
  return found.toSorted((a, b) => a.seq - b.seq).slice(0, mostDecisions);
}

function Decision({ decision }: { readonly decision: DecisionRecord }) {
  const facts = entriesOf(decision.facts);
  const short = facts.filter(([, value]) => isShort(value));
  const long = facts.filter(([, value]) => !isShort(value));
  return (
    <li className={cx(styles.decision, decision.decisive && styles.decisive)}>
      <div className={styles.head}>
        <code className={styles.rule}>
          {decision.rule.split(/(?<=\.)/).map((part) => (
            <Fragment key={part}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </code>
        {decision.decisive && <span className={styles.mark}>decided</span>}
      </div>
      <p className={styles.outcome}>→ {outcomeText(decision.outcome) || 'no change'}</p>
      {short.length > 0 && (
        <p className={styles.facts}>
          {short.map(([name, value]) => (
            <span key={name}>
              {name} <code title={scalarText(value)}>{shortId(scalarText(value))}</code>
            </span>
          ))}
        </p>
      )}
      {long.length > 0 && <ValueTree value={Object.fromEntries(long)} openTo={0} />}
    </li>
  );
}

export function Decisions({ decisions }: { readonly decisions: readonly DecisionRecord[] }) {
  if (decisions.length === 0) return null;
  return (
    <Section title="Why" count={decisions.length}>
      <ol className={styles.list}>
        {decisions.map((decision) => (
          <Decision key={decision.seq} decision={decision} />
        ))}
      </ol>
    </Section>
  );
}
