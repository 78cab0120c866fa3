/** Shows the callers and callees of a span. */
import type { SpanRecord } from '@podscope/trace';
import { useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Section } from '../../../base/ui/layout/Section.tsx';
import { inspectorMessages } from '../messages.en.ts';
import { SpanLink } from './SpanLink.tsx';

const pageSize = 40;

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** Returns the span that triggered the pod worker's sync: the UpdatePod of a sync loop iteration. */
const causeOf = ({ attributes }: SpanRecord): number | undefined =>
  typeof attributes['causedBy'] === 'number' ? attributes['causedBy'] : undefined;

/** Returns the callers, outermost first. A worker's sync appears below the span that triggered it. */
function ancestorsOf(span: SpanRecord, spanOf: SpanOf): readonly SpanRecord[] {
  const chain: SpanRecord[] = [];
  for (let at: SpanRecord | undefined = span; at; at = spanOf(at.parent)) chain.unshift(at);
  for (let at = spanOf(chain[0] && causeOf(chain[0])); at; at = spanOf(at.parent)) chain.unshift(at);
  return chain;
}

export function CallStack({
  span,
  spanOf,
  now,
}: {
  readonly span: SpanRecord;
  readonly spanOf: SpanOf;
  readonly now: number;
}) {
  const t = useT();
  const chain = ancestorsOf(span, spanOf);
  return (
    <Section title={t(inspectorMessages.callStack)}>
      {chain.map((each, depth) => (
        <SpanLink key={each.id} span={each} depth={depth} isCurrent={each.id === span.id} now={now} />
      ))}
    </Section>
  );
}

/** Lists the callees. Docker calls have a separate heading. */
export function ChildCalls({
  span,
  spanOf,
  now,
}: {
  readonly span: SpanRecord;
  readonly spanOf: SpanOf;
  readonly now: number;
}) {
  const t = useT();
  const [limit, setLimit] = useState(pageSize);
  if (span.children.length === 0) return null;
  const calls = span.children.slice(0, limit).flatMap((id) => spanOf(id) ?? []);
  const title = t(span.kind === 'cri' ? inspectorMessages.runtimeDid : inspectorMessages.calls);
  return (
    <Section title={title} count={span.children.length}>
      {calls.map((each) => (
        <div key={each.id}>
          <SpanLink span={each} now={now} />
          {span.kind === 'cri' &&
            each.children
              .flatMap((id) => spanOf(id) ?? [])
              .map((grandchild) => <SpanLink key={grandchild.id} span={grandchild} depth={1.25} now={now} />)}
        </div>
      ))}
      {span.children.length > limit && (
        <Button kind="quiet" onPress={() => setLimit(limit + pageSize)}>
          {t(inspectorMessages.showMore, { count: Math.min(pageSize, span.children.length - limit) })}
        </Button>
      )}
    </Section>
  );
}
