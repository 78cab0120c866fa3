/** Shows one span: callers, decisions, input and result. */
import { formatDuration } from '@podscope/timeline';
import { type Attributes, interventionsWithin, type SpanRecord } from '@podscope/trace';
import type { Message } from '../../../base/i18n/define-messages.ts';
import { useT } from '../../../base/i18n/i18n.ts';
import { Section } from '../../../base/ui/layout/Section.tsx';
import { Chip } from '../../../base/ui/marks/Chip.tsx';
import { CopyButton } from '../../../base/ui/text/CopyText.tsx';
import { formatClock } from '../../../base/ui/text/format.ts';
import { ValueTree } from '../../../base/ui/text/ValueTree.tsx';
import { entriesOf, fullText, isContainer } from '../../../base/ui/text/value-text.ts';
import { pointTitle } from '../../../node/points/step-text.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { useExactNow } from '../../../node/run/use-now.ts';
import { useSourceText } from '../../../node/sources/source-text.ts';
import { Injected } from '../../interventions/index.ts';
import { LazyDecisions } from '../../why/index.ts';
import styles from '../Inspector.module.css';
import { Interventions } from '../Interventions.tsx';
import { inspectorMessages } from '../messages.en.ts';
import { CallStack, ChildCalls } from './Calls.tsx';
import { decisionsWithin } from './decisions-within.ts';
import { StatusChange } from './StatusChange.tsx';
import { kindName, outcomeName, spanTone } from './span-kinds.ts';

function without(attributes: Attributes | undefined, key: string): Attributes {
  return Object.fromEntries(Object.entries(attributes ?? {}).filter(([name]) => name !== key));
}

function Values({ title, copy, value }: { readonly title: Message; readonly copy: Message; readonly value: unknown }) {
  const t = useT();
  if (value === undefined || (isContainer(value) && entriesOf(value).length === 0)) return null;
  return (
    <Section title={t(title)} action={<CopyButton text={fullText(value)} label={t(copy)} />}>
      <ValueTree value={isContainer(value) ? value : { value }} openTo={2} />
    </Section>
  );
}

export function SpanInspector({ span }: { readonly span: SpanRecord }) {
  const { run } = useSession();
  const t = useT();
  const now = useExactNow(span.end === undefined);
  const spanOf = (id: number | undefined) => run.span(id);
  const { attributes, endAttributes, error } = span;
  const injected = interventionsWithin(span, spanOf);
  const source = useSourceText()(span);
  // For a CRI call, one attribute contains the request. For a Docker call, the attributes themselves are the request.
  const isDocker = span.kind === 'docker';
  return (
    <div>
      <header className={styles.head}>
        <p className={styles.kind}>{kindName(t, span.kind)}</p>
        <h2 className={styles.title}>{pointTitle(t, span.point, span.title)}</h2>
        <p className={styles.line}>
          <Chip tone={spanTone(span)}>{outcomeName(t, span)}</Chip>
          <Injected by={injected} />
          <span>{formatDuration((span.end ?? now) - span.start)}</span>
          <span className={styles.quiet}>{formatClock(span.start)}</span>
        </p>
        {source && <p className={styles.kind}>{source}</p>}
      </header>
      {error && (
        <div className={styles.error} role="note" aria-label={t(inspectorMessages.error)}>
          <strong>{error.reason}</strong>
          <p>{error.message}</p>
        </div>
      )}
      <Interventions all={injected} />
      <StatusChange span={span} />
      <LazyDecisions decisions={decisionsWithin(span, spanOf)} />
      <CallStack span={span} spanOf={spanOf} now={now} />
      {/* Show the callees of a CRI call (the runtime's work) and of calls outside pod workers. The tree of steps
          already shows the callees of other calls. */}
      {(span.kind === 'cri' || span.thread !== span.pod) && <ChildCalls span={span} spanOf={spanOf} now={now} />}
      <Values
        title={inspectorMessages.request}
        copy={inspectorMessages.copyRequest}
        value={isDocker ? attributes : attributes['request']}
      />
      <Values
        title={inspectorMessages.response}
        copy={inspectorMessages.copyResponse}
        value={endAttributes?.['response']}
      />
      <Values
        title={inspectorMessages.attributes}
        copy={inspectorMessages.copyAttributes}
        value={isDocker ? {} : without(attributes, 'request')}
      />
      <Values
        title={inspectorMessages.result}
        copy={inspectorMessages.copyResult}
        value={without(endAttributes, 'response')}
      />
    </div>
  );
}
