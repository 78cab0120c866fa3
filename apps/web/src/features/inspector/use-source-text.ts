/** Names the source of a fact about a genuine kubelet, and whether the fact was observed or inferred. */
import type { SpanRecord } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { factSourceMessages, inspectorMessages } from './messages.en.ts';

/** Returns a function that formats a source. It returns undefined for facts of Podscope's own kubelet. */
export function useSourceText(): (fact: Pick<SpanRecord, 'source' | 'inferred'> | undefined) => string | undefined {
  const t = useT();
  return (fact) => {
    if (!fact?.source) return undefined;
    const source = t(factSourceMessages[fact.source]);
    return t(fact.inferred ? inspectorMessages.inferredFrom : inspectorMessages.observedIn, { source });
  };
}
