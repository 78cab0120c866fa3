/** Finds the pods of a manifest in the text of a document. */
import { isMap, LineCounter, parseAllDocuments } from 'yaml';

/** A pod of a manifest. */
export interface FoundPod {
  /**
   * The name of the pod (`metadata.name`). Undefined if the manifest has no name, for example because it uses
   * `generateName`.
   */
  readonly name: string | undefined;
  /** The line of `kind: Pod`, counted from 0. */
  readonly line: number;
}

/** Fast path: may return true for a text without a pod, never false for one with a pod. */
export const mayHavePods = (text: string): boolean => /["']?kind["']?\s*:\s*["']?Pod\b/.test(text);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Maximum length of a text that is searched, in characters. Podscope also rejects longer manifests. */
const maxLength = 1024 * 1024;

/**
 * Returns the pods in a YAML or JSON text, which may contain several documents. If a document has syntax errors because
 * the user is typing, returns the pods in the part that can be read.
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
