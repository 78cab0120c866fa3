/**
 * Builds the page so that it works without a server: with a service worker that keeps every file of the build for
 * offline use, an engine that starts with the page, and a content security policy in the page itself, because a plain
 * file host sends no policy.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSecurityPolicy } from '@podscope/protocol';
import type { Plugin } from 'vite';
import { engineStartScript, sitePage } from './site-page.ts';
import { serviceWorkerScript } from './site-service-worker.ts';

/**
 * The policy is as strict as the server's, with two exceptions. A learner's page may connect to the teacher's class
 * server, whose address is only in the join link. And framing is allowed: a page can't forbid it from within, and the
 * embed mode needs it.
 */
const policy = contentSecurityPolicy
  .map((directive) => (directive.startsWith('connect-src ') ? `${directive} wss:` : directive))
  .join('; ');

/** The page for servers that serve the build of the site. */
const serverPage = 'server.html';

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export function sitePlugin(): Plugin {
  let publicFolder = '';
  /** Files next to the page, with a digest in their name, so that a page never requests files of another build. */
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
        // A server serves the same build, but its page has neither the site's engine nor its service worker.
        this.emitFile({ type: 'asset', fileName: serverPage, source: html });
        page.source = sitePage(html, { version, beside, engineStart });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: serviceWorkerScript(version, files) });
      },
    },
  };
}
