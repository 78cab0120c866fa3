/** Shows diagnoses. Each has one paragraph, with evidence and next steps. */
import type { InterventionRecord } from '@podscope/trace';
import type { Diagnosis } from '@podscope/trace/explain';
import { type ReactNode, useState } from 'react';
import { useLanguage, useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { CopyButton } from '../../base/ui/text/CopyText.tsx';
import { Injected } from '../interventions/index.ts';
import styles from './Causes.module.css';
import { FieldLink } from './FieldLink.tsx';
import { originTexts, whyMessages } from './messages.en.ts';
import { translateSentences, translateText } from './translate-texts.ts';

const tones = { error: 'error', waiting: 'waiting', info: 'done' } as const;
const longestSaid = 320;

function Said({ text }: { readonly text: string }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > longestSaid;
  return (
    <blockquote className={styles.messages} aria-label={t(whyMessages.messages)}>
      {isLong && !isOpen ? `${text.slice(0, longestSaid)}…` : text}
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? whyMessages.showLess : whyMessages.showAll)}
        </button>
      )}
    </blockquote>
  );
}

function Cause({
  diagnosis,
  injected,
  log,
}: {
  readonly diagnosis: Diagnosis;
  readonly injected: readonly InterventionRecord[];
  readonly log: ReactNode;
}) {
  const t = useT();
  const language = useLanguage();
  const { reason, severity, title, cause, said, facts, next, outlook, origin, certainty } = diagnosis;
  return (
    <article className={cx(styles.cause, styles[severity])}>
      <header className={styles.head}>
        <StateMark tone={tones[severity]} size={12} />
        <h3 className={styles.title}>{translateText(t, title)}</h3>
        <code className={styles.reason}>{reason}</code>
        <Injected by={injected} />
      </header>
      {injected.length > 0 && <p className={styles.text}>{t(whyMessages.injected)}</p>}
      <p className={styles.text}>{translateSentences(t, language, cause)}</p>
      {origin && (
        <p className={styles.text}>
          {t(whyMessages.origin, { origin: t(originTexts[origin]) })}
          {certainty && certainty !== 'certain' && ` (${t(whyMessages[certainty])})`}
        </p>
      )}
      {said && <Said text={said} />}
      {log}
      {facts.length > 0 && (
        <ul className={styles.facts} aria-label={t(whyMessages.evidence)}>
          {facts.map(({ path, value }) => (
            <li key={path}>
              <FieldLink path={path} value={value} />
            </li>
          ))}
        </ul>
      )}
      {outlook && outlook.length > 0 && (
        <div className={styles.next}>
          <h4 className={styles.label}>{t(whyMessages.outlook)}</h4>
          <p className={styles.text}>{translateSentences(t, language, outlook)}</p>
        </div>
      )}
      {next.length > 0 && (
        <div className={styles.next}>
          <h4 className={styles.label}>{t(whyMessages.next)}</h4>
          <ul>
            {next.map(({ why, command }) => (
              <li key={`${why.id} ${command}`} className={styles.command}>
                <span className={styles.purpose}>{translateText(t, why)}</span>
                <span className={styles.line}>
                  <code>{command}</code>
                  <CopyButton text={command} label={t(whyMessages.copyCommand)} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </article>
  );
}

interface CausesProps {
  readonly diagnoses: readonly Diagnosis[];
  /** Returns the interventions that caused a diagnosis. Default: none. */
  readonly injectedInto?: (diagnosis: Diagnosis) => readonly InterventionRecord[];
  /** The last lines of the container's log; absent where the node's logs aren't available. */
  readonly logOf?: (diagnosis: Diagnosis) => ReactNode;
}

const byItself = (): readonly InterventionRecord[] => [];
const without = (): ReactNode => undefined;

export function CauseList({ diagnoses, injectedInto = byItself, logOf = without }: CausesProps) {
  const t = useT();
  if (diagnoses.length === 0) return null;
  return (
    <section className={styles.causes} aria-label={t(whyMessages.why)}>
      {diagnoses.map((diagnosis) => (
        <Cause
          key={`${diagnosis.reason} ${diagnosis.container ?? ''}`}
          diagnosis={diagnosis}
          injected={injectedInto(diagnosis)}
          log={logOf(diagnosis)}
        />
      ))}
    </section>
  );
}
