/** The engine and its recordings as one script for a page. */
import { join } from 'node:path';
import { build } from 'vite';

/** @returns JavaScript that puts the engine on `globalThis.podscopeEngine` */
export async function bundleEngine(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'engine-in-page.ts'), formats: ['es'], fileName: 'engine' },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) => ('output' in each ? each.output : []));
  const chunk = outputs.find((output) => output.type === 'chunk');
  if (!chunk) throw new Error('vite built no script of the engine');
  return chunk.code;
}
