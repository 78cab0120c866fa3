/** Finds parts of a module's syntax tree, for plugins that remove them from the build. */

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: SyntaxNode;
  readonly object?: SyntaxNode;
  readonly property?: SyntaxNode & { readonly name?: string };
  readonly key?: SyntaxNode & { readonly name?: string };
  readonly value?: unknown;
}

/** A range of the source, and the text that replaces it. */
export type Replacement = readonly [start: number, end: number, text: string];

export const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Yields all nodes of a tree, each before its children. */
export function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (isSyntaxNode(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) yield* nodesOf(member);
}

/** Returns the source with the replacements, which must not overlap. */
export const replaced = (source: string, replacements: readonly Replacement[]): string =>
  replacements
    .toSorted(([left], [right]) => right - left)
    .reduce((text, [start, end, by]) => text.slice(0, start) + by + text.slice(end), source);
