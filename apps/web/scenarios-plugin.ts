/**
 * Removes from a worker what only the page and the tests read of a scenario: its texts, and its outcome on Docker. The
 * engine in the worker only plays the scenario.
 */
import type { Plugin } from 'vite';
import { isSyntaxNode, nodesOf, type Replacement, replaced } from './syntax-tree.ts';

const noText = "{ en: '', zh: '' }";

const empty: ReadonlyMap<string, string> = new Map([
  ['title', noText],
  ['summary', noText],
  ['notice', '[]'],
  ['differs', 'undefined'],
  ['docker', '{}'],
]);

export function scenariosPlugin(): Plugin {
  return {
    name: 'podscope-scenarios',
    apply: 'build',
    // Run after TypeScript's types are removed.
    enforce: 'post',
    transform(code, id) {
      if (!/\/packages\/scenarios\/src\/library\/[\w-]+\/[\w-]+\.ts$/.test(id)) return null;
      const properties = [...nodesOf(this.parse(code))].flatMap(({ type, key, value }): readonly Replacement[] => {
        const text = empty.get(key?.name ?? '');
        return type === 'Property' && text !== undefined && isSyntaxNode(value) ? [[value.start, value.end, text]] : [];
      });
      return { code: replaced(code, properties), map: null };
    },
  };
}
