/**
 * Builds the page so that it works without a server: with a service worker that keeps every file of the build for
 * offline use, an engine that starts with the page, and a content security policy in the page itself, since a plain
 * file host sends none.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSecurityPolicy } from '@podscope/protocol';
import type { Plugin } from 'vite';
import { engineStartScript, sitePage } from './site-page.ts';
import { serviceWorkerScript } from './site-service-worker.ts';

/**
 * As strict as the server's, except that a learner's page may connect to the teacher's class server, whose address only
 * the join link knows. Framing can't be forbidden from within a page, and the embed mode wants it.
 */
const policy = contentSecurityPolicy
  .map((directive) => (directive.startsWith('connect-src ') ? `${directive} wss:` : directive))
  .join('; ');

/** The page for a server that serves the build of the site. */
const serverPage = 'server.html';

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export function sitePlugin(): Plugin {
  let publicFolder = '';
  /** Files beside the page, with a digest in their name: a page and the files it requests are always from one build. */
  const publicFiles = (): readonly string[] =>
    readdirSync(publicFolder)
      .toSorted()
      .map((name) => `./${name}?${digest(readFileSync(join(publicFolder, name)))}`);
  return {
    name: 'podscope-site',
    apply: (_config, { mode }) => mode === 'site',
    configResolved(config) {
      publicFolder = config.publicDir;
    },
    transformIndexHtml: {
      order: 'pre',
      handler: () => [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
      ],
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const names = Object.keys(bundle).filter((file) => !file.endsWith('.map') && file !== 'index.html');
        const page = bundle['index.html'];
        const engine = names.find((name) => name.startsWith('assets/engine.worker'));
        if (page?.type !== 'asset' || engine === undefined)
          throw new Error('the build has no index.html, or no engine');
        const start = engineStartScript(`./${engine}`);
        this.emitFile({ type: 'asset', fileName: 'engine.js', source: start });
        const engineStart = `./engine.js?${digest(start)}`;
        const beside = publicFiles();
        const html = String(page.source);
        const files = [...names.map((name) => `./${name}`).toSorted(), ...beside, engineStart];
        const version = digest([html, ...files].join('\n'));
        // A server serves the same build, without the site's engine and service worker.
        this.emitFile({ type: 'asset', fileName: serverPage, source: html });
        page.source = sitePage(html, { version, beside, engineStart });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: serviceWorkerScript(version, files) });
      },
    },
  };
}
