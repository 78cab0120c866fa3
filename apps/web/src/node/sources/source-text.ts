/** Names the source of a fact about a genuine kubelet, and whether the fact was observed or inferred. */
import type { FactSource } from '@podscope/trace';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { factSourceMessages, sourceMessages } from './messages.en.ts';

/** Returns the text of a source; undefined for a fact of Podscope's own kubelet. */
export function sourceText(t: typeof translate, { source, inferred }: FactSource): string | undefined {
  if (source === undefined) return undefined;
  return t(inferred ? sourceMessages.inferredFrom : sourceMessages.observedIn, {
    source: t(factSourceMessages[source]),
  });
}

/** Returns a function that formats a source. It returns undefined for facts of Podscope's own kubelet. */
export function useSourceText(): (fact: FactSource | undefined) => string | undefined {
  const t = useT();
  return (fact) => fact && sourceText(t, fact);
}
