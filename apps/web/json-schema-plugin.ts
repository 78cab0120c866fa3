/**
 * Removes zod's generator of JSON Schema from the build. Every schema refers to the generator, so no bundler can drop
 * it, but the page never calls it.
 */
import type { Plugin } from 'vite';

const generatorModule = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/** Returns a module with the same exports as `code`. Each of them throws when it is called. */
function withoutBodies(code: string): string {
  const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
  const aliases = [...code.matchAll(/^export \{ (\w+ as \w+) \};/gm)].map(([, alias = '']) => alias);
  return [
    "const unused = () => { throw new Error('The page is built without JSON Schema'); };",
    // Exports that begin with `create` return a function, because each schema calls them when it is constructed.
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
