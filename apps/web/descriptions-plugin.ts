/** Removes the descriptions of the protocol's schemas from the build: only the protocol's documentation reads them. */
import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node & { readonly name?: string };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Yields the source ranges of the `.describe(…)` calls. */
function* describesIn(value: unknown): Generator<readonly [start: number, end: number]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* describesIn(item);
    return;
  }
  if (!isNode(value)) return;
  const { type, end, callee } = value;
  if (type === 'CallExpression' && callee?.object && callee.property?.name === 'describe') {
    yield [callee.object.end, end];
    yield* describesIn(callee.object);
    return;
  }
  for (const member of Object.values(value)) yield* describesIn(member);
}

export function descriptionsPlugin(): Plugin {
  return {
    name: 'podscope-descriptions',
    apply: 'build',
    // Run after TypeScript's types are removed.
    enforce: 'post',
    transform(code, id) {
      if (!/\/packages\/protocol\/src\/[\w-]+\.ts$/.test(id)) return null;
      const ranges = [...describesIn(this.parse(code))].toSorted(([left], [right]) => right - left);
      return { code: ranges.reduce((text, [start, end]) => text.slice(0, start) + text.slice(end), code), map: null };
    },
  };
}
