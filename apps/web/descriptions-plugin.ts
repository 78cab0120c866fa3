/** Removes the descriptions of the protocol's schemas from the build: only the protocol's documentation reads them. */
import type { Plugin } from 'vite';
import { nodesOf, type Replacement, replaced } from './syntax-tree.ts';

export function descriptionsPlugin(): Plugin {
  return {
    name: 'podscope-descriptions',
    apply: 'build',
    // Run after TypeScript's types are removed.
    enforce: 'post',
    transform(code, id) {
      if (!/\/packages\/protocol\/src\/[\w-]+\.ts$/.test(id)) return null;
      // Removes `.describe(…)`.
      const calls = [...nodesOf(this.parse(code))].flatMap(({ type, end, callee }): readonly Replacement[] =>
        type === 'CallExpression' && callee?.object && callee.property?.name === 'describe'
          ? [[callee.object.end, end, '']]
          : [],
      );
      return { code: replaced(code, calls), map: null };
    },
  };
}
