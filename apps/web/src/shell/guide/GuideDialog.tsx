/** Explains the colors, lanes and words of the page. Default export: loaded when first opened. */
import type { Message } from '../../base/i18n/define-messages.ts';
import { useT } from '../../base/i18n/i18n.ts';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { StateMark, type Tone } from '../../base/ui/marks/StateMark.tsx';
import { TimelineLegend } from '../../features/timeline/index.ts';
import { closeDialog } from '../../node/view/interface.ts';
import styles from './GuideDialog.module.css';
import { laneMessages, markMessages, termMessages, guideMessages as texts } from './messages.en.ts';

const marks: readonly { readonly tone: Tone; readonly text: Message }[] = [
  { tone: 'done', text: markMessages.done },
  { tone: 'skipped', text: markMessages.notNeeded },
  { tone: 'progressing', text: markMessages.progressing },
  { tone: 'running', text: markMessages.running },
  { tone: 'waiting', text: markMessages.waiting },
  { tone: 'error', text: markMessages.failed },
  { tone: 'terminating', text: markMessages.terminating },
  { tone: 'stopped', text: markMessages.stopped },
  { tone: 'pending', text: markMessages.pending },
];

function Terms({ of }: { readonly of: Readonly<Record<string, Message>> }) {
  const t = useT();
  return (
    <dl className={styles.terms}>
      {Object.entries(of).map(([name, message]) => {
        const [term = '', ...rest] = t(message).split(/[:：]/);
        return (
          <div key={name}>
            <dt>{term}</dt>
            <dd>{rest.join(':').trim()}</dd>
          </div>
        );
      })}
    </dl>
  );
}

export default function GuideDialog() {
  const t = useT();
  return (
    <PageDialog title={t(texts.title)} icon="info" size="large" onClose={closeDialog}>
      {/* Make it focusable, so that users can scroll the text with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.body} tabIndex={0} role="group" aria-label={t(texts.title)}>
        <p className={styles.introduction}>{t(texts.introduction)}</p>
        <section>
          <h3 className={styles.heading}>{t(texts.marks)}</h3>
          <ul className={styles.marks}>
            {marks.map(({ tone, text }) => (
              <li key={tone}>
                <StateMark tone={tone} size={14} />
                {t(text)}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3 className={styles.heading}>{t(texts.bars)}</h3>
          <TimelineLegend />
        </section>
        <section>
          <h3 className={styles.heading}>{t(texts.lanes)}</h3>
          <Terms of={laneMessages} />
        </section>
        <section>
          <h3 className={styles.heading}>{t(texts.dots)}</h3>
          <p>{t(texts.dotsNote)}</p>
        </section>
        <section>
          <h3 className={styles.heading}>{t(texts.terms)}</h3>
          <Terms of={termMessages} />
        </section>
      </div>
    </PageDialog>
  );
}
