/** Shows decisions, grouped by function, with the facts of each rule. The decisive rule is marked. */
import type { DecisionRecord } from '@podscope/trace';
import { fieldOfFact } from '@podscope/trace/explain';
import { use, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { cx } from '../../../base/ui/marks/cx.ts';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { SpokenText } from '../../../base/ui/marks/SpokenText.tsx';
import { formatClock } from '../../../base/ui/text/format.ts';
import { ValueTree } from '../../../base/ui/text/ValueTree.tsx';
import { entriesOf, isContainer, scalarText, shortId } from '../../../base/ui/text/value-text.ts';
import { useSelectedPod } from '../../../node/run/use-selected-pod.ts';
import { FieldLink, ShowFieldContext } from '../FieldLink.tsx';
import { whyMessages } from '../messages.en.ts';
import { translateOutcome, translateRule } from '../translate-texts.ts';
import styles from './Decisions.module.css';
import { type DecisionGroup, groupDecisions } from './group-decisions.ts';

/** Returns true if the value is short enough to be shown inline. Other values are shown as a tree. */
const isShort = (value: unknown): boolean => !isContainer(value) && shortId(scalarText(value)).length <= 60;

const instants: ReadonlySet<string> = new Set(['now', 'finishedAt', 'firstSeen', 'lastUpdate']);

/** Formats a fact. Instants are shown as times of day instead of milliseconds. */
const factText = (name: string, value: unknown): string =>
  instants.has(name) && typeof value === 'number' && value > 1e12 ? formatClock(value) : shortId(scalarText(value));

function Facts({ decision }: { readonly decision: DecisionRecord }) {
  const { pod } = useSelectedPod();
  const isOnPage = use(ShowFieldContext) !== undefined;
  const t = useT();
  const facts = entriesOf(decision.facts).filter(([name]) => name !== 'container');
  const long = facts.filter(([, value]) => !isShort(value));
  return (
    <div className={styles.facts}>
      <ul aria-label={t(whyMessages.facts)}>
        {facts
          .filter(([, value]) => isShort(value))
          .map(([name, value]) => {
            const path = isOnPage && fieldOfFact(pod?.object, pod?.status, decision.facts, name);
            const text = factText(name, value);
            return (
              <li key={name}>
                {path ? (
                  <FieldLink path={path} value={text} name={name} />
                ) : (
                  <span className={styles.fact} title={scalarText(value)}>
                    <span className={styles.name}>{name}</span>
                    <code>{text}</code>
                  </span>
                )}
              </li>
            );
          })}
      </ul>
      {long.length > 0 && <ValueTree value={Object.fromEntries(long)} openTo={0} />}
    </div>
  );
}

function Rule({ decision }: { readonly decision: DecisionRecord }) {
  const t = useT();
  const [isOpen, setOpen] = useState(decision.decisive);
  const { rule, decisive } = decision;
  const hasFacts = entriesOf(decision.facts).some(([name]) => name !== 'container');
  return (
    <li className={cx(styles.rule, decisive && styles.decisive)}>
      <button
        type="button"
        className={styles.question}
        title={rule}
        aria-expanded={hasFacts ? isOpen : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.mark}>
          {decisive ? <Icon name="check" size={12} /> : <span className={styles.dot} />}
        </span>
        <span className={styles.asked}>{translateRule(t, rule) ?? <code>{rule}</code>}</span>
        <span className={styles.outcome}>
          {translateOutcome(t, decision.outcome)}
          {decisive && <SpokenText>{`, ${t(whyMessages.decided)}`}</SpokenText>}
        </span>
      </button>
      {isOpen && hasFacts && <Facts decision={decision} />}
    </li>
  );
}

function Group({ group: { name, container, decisions } }: { readonly group: DecisionGroup }) {
  const t = useT();
  return (
    <li className={styles.group}>
      <h4 className={styles.head}>
        <code title={name}>{name}</code>
        {container && (
          <span className={styles.container} title={container}>
            {container}
          </span>
        )}
        <span className={styles.count}>{t(whyMessages.ruleCount, { count: decisions.length })}</span>
      </h4>
      <ol>
        {decisions.map((decision) => (
          <Rule key={decision.seq} decision={decision} />
        ))}
      </ol>
    </li>
  );
}

export function DecisionList({ decisions }: { readonly decisions: readonly DecisionRecord[] }) {
  return (
    <ol className={styles.groups}>
      {groupDecisions(decisions).map((group) => (
        <Group key={group.decisions[0]?.seq} group={group} />
      ))}
    </ol>
  );
}
