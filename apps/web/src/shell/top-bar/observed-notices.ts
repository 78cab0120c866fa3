/** Describes an observed kubelet: the sources of its facts, and how the shadow engine's profile differs from it. */
import type { NodeInfo } from '@podscope/protocol';
import { useT } from '../../base/i18n/i18n.ts';
import { sourceMessages, observedMessages as texts } from '../messages.en.ts';

/**
 * Returns a function that joins the names of sources with commas. It uses the id of a source that this page doesn't
 * know.
 */
function useSourceNames(): (ids: readonly string[]) => string {
  const t = useT();
  return (ids) =>
    ids
      .map((id) => {
        const message = Object.entries(sourceMessages).find(([name]) => name === id)?.[1];
        return message ? t(message) : id;
      })
      .join(', ');
}

/** Returns notices about an observed kubelet: the sources, and how the shadow engine's profile differs from it. */
export function useObservedNotices(node: NodeInfo | undefined): readonly string[] {
  const t = useT();
  const names = useSourceNames();
  const { observed, profile = '' } = node ?? {};
  if (!observed) return [];
  return [
    t(texts.sources, { names: names(observed.sources) }),
    ...(observed.missing.length > 0 ? [t(texts.missing, { names: names(observed.missing) })] : []),
    ...(observed.approximate ? [t(texts.approximate, { profile })] : []),
    ...observed.differences,
  ];
}
