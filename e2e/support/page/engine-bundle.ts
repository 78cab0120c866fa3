/** Bundles the engine and the functions of a test into one script that a page can load. */
import { join } from 'node:path';
import { build } from 'vite';

/** Returns the script of an entry. @param entry file beside this one, without its extension */
export async function bundleForPage(entry: 'engine-in-page' | 'scenarios-in-page'): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, `${entry}.ts`), formats: ['es'], fileName: entry },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) => ('output' in each ? each.output : []));
  const chunk = outputs.find((output) => output.type === 'chunk');
  if (!chunk) throw new Error(`vite built no script of ${entry}`);
  return chunk.code;
}
