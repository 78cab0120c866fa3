/** Where a span stands: what called it, and what it called. */
import type { SpanRecord } from '@podscope/trace';
import { useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from '../ui/Button.tsx';
import { inspectorMessages } from './messages.en.ts';
import { Section } from './Section.tsx';
import { SpanLink } from './SpanLink.tsx';

const pageSize = 40;

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** A pod worker's pass names what brought it about: the UpdatePod in an iteration of the sync loop. */
const causeOf = ({ attributes }: SpanRecord): number | undefined => (typeof attributes['causedBy'] === 'number' ? attributes['causedBy'] : undefined);

/** The outermost first; a worker's pass stands below what woke the worker. */
function ancestorsOf(span: SpanRecord, spanOf: SpanOf): readonly SpanRecord[] {
  const chain: SpanRecord[] = [];
  for (let at: SpanRecord | undefined = span; at; at = spanOf(at.parent)) chain.unshift(at);
  for (let at = spanOf(chain[0] && causeOf(chain[0])); at; at = spanOf(at.parent)) chain.unshift(at);
  return chain;
}

export function CallStack({ span, spanOf, now }: { readonly span: SpanRecord; readonly spanOf: SpanOf; readonly now: number }) {
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

/** The spans below, those of the Docker engine under a name of their own. */
export function ChildCalls({ span, spanOf, now }: { readonly span: SpanRecord; readonly spanOf: SpanOf; readonly now: number }) {
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
            each.children.flatMap((id) => spanOf(id) ?? []).map((grandchild) => <SpanLink key={grandchild.id} span={grandchild} depth={1.25} now={now} />)}
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
