/**
 * Leaves zod's generator of JSON Schema out of the build: every schema refers to it, so no bundler can drop it, and the
 * page never calls it.
 */
import type { Plugin } from 'vite';

const generatorModule = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/** Returns the module with the same exports, which throw when they are called. */
function withoutBodies(code: string): string {
  const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
  const aliases = [...code.matchAll(/^export \{ (\w+ as \w+) \};/gm)].map(([, alias = '']) => alias);
  return [
    "const unused = () => { throw new Error('The page is built without JSON Schema'); };",
    // A schema creates its methods when it is constructed.
    ...names.map((name) => `export const ${name} = ${name.startsWith('create') ? '() => unused' : 'unused'};`),
    ...aliases.map((alias) => `export { ${alias} };`),
  ].join('\n');
}

/** Returns the plugin, for the page and for its workers. */
export function jsonSchemaPlugin(): Plugin {
  return {
    name: 'podscope-json-schema',
    apply: 'build',
    transform: {
      filter: { id: generatorModule },
      handler: (code) => ({ code: withoutBodies(code), map: { mappings: '' } }),
    },
  };
}
