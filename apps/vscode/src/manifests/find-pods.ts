/** Finds the pods of a manifest in the text of an editor. */
import { isMap, LineCounter, parseAllDocuments } from 'yaml';

/** A pod of a manifest. */
export interface FoundPod {
  /** `metadata.name`; undefined without one, as with `generateName`. */
  readonly name: string | undefined;
  /** Line of `kind: Pod`, from 0. */
  readonly line: number;
}

/** Fast path: may return true for a text without a pod, never false for one with a pod. */
export const mayHavePods = (text: string): boolean => /["']?kind["']?\s*:\s*["']?Pod\b/.test(text);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Texts above this size, in characters, are not searched: Podscope rejects them, too. */
const maxLength = 1024 * 1024;

/**
 * Returns the pods of a YAML or JSON text, which may have several documents. Documents with syntax errors, as while
 * they are typed, count as far as they can be read.
 */
export function findPods(text: string): readonly FoundPod[] {
  if (text.length > maxLength || !mayHavePods(text)) return [];
  const lines = new LineCounter();
  return parseAllDocuments(text, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false }).flatMap(
    ({ contents }): readonly FoundPod[] => {
      if (!isMap(contents) || contents.get('kind') !== ('Pod' as unknown)) return [];
      const kind = contents.items.find(({ key }) => String(key) === 'kind');
      const [start] = kind?.key?.range ?? contents.range ?? [0];
      return [{ name: textOf(contents.getIn(['metadata', 'name'])), line: lines.linePos(start).line - 1 }];
    },
  );
}
