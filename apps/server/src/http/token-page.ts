/** Renders the form for the access token. A browser without a valid token gets this form instead of the page. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { requestUrl } from './request-url.ts';

/** The reason for which the form is shown. */
type TokenProblem = 'missing' | 'invalid';

const texts = {
  en: {
    title: 'Podscope: access token',
    heading: 'Enter the access token',
    missing: 'This server gives access only to clients with its token.',
    invalid: 'This token is not valid. The server makes a new one at each start, unless it has --token.',
    where: 'The server printed an address with the token in its terminal. Paste that address or the token.',
    label: 'Address or token',
    submit: 'Open',
  },
  zh: {
    title: 'Podscope：访问令牌',
    heading: '请输入访问令牌',
    missing: '此服务器只允许持有其令牌的客户端访问。',
    invalid: '此令牌无效。除非使用 --token，服务器每次启动都会生成新的令牌。',
    where: '服务器在终端中打印了包含令牌的地址。请粘贴该地址或令牌。',
    label: '地址或令牌',
    submit: '打开',
  },
} as const;

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; min-height: 90vh; margin: 0; padding: 1rem; }
main { max-width: 28rem; }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
div { display: flex; gap: .5rem; }
input { flex: 1; min-width: 0; padding: .5rem; font: inherit; }
button { padding: .5rem 1rem; font: inherit; }
[role=alert] { font-weight: 600; }`;

/**
 * The content security policy of the form: it runs no script, uses only the style above, and submits only to this
 * server.
 */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

/** Extracts the token from text that a user pasted. The text is the token itself or an address that contains it. */
export function tokenIn(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return trimmed;
  return new URL(trimmed).searchParams.get('token') ?? trimmed;
}

/**
 * Returns true if a browser opens a page with this request. Requests by scripts, and requests for parts of a page,
 * return false.
 */
export const isNavigation = (request: Request): boolean =>
  request.method === 'GET' && request.headers.accept?.includes('text/html') === true;

/** Responds with the form and status 401. Submitting the form opens the requested address with the token. */
export function sendTokenPage(request: Request, response: Response, problem: TokenProblem): void {
  const url = requestUrl(request);
  const language = request.acceptsLanguages('en', 'zh') === 'zh' ? 'zh' : 'en';
  const t = texts[language];
  const hidden = [...url.searchParams]
    .filter(([name]) => name !== 'token')
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`);
  const path = `/${url.pathname.replace(/^\/+/, '')}`;
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'no-store');
  response
    .status(401)
    .type('text/html')
    .send(`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${t.title}</title>
<style>${style}</style>
<main>
<h1>${t.heading}</h1>
<p${problem === 'invalid' ? ' role="alert"' : ''}>${t[problem]}</p>
<p>${t.where}</p>
<form method="get" action="${escape(path)}">
${hidden.join('\n')}
<label for="token">${t.label}</label>
<div><input id="token" name="token" required autofocus autocomplete="off" spellcheck="false">
<button>${t.submit}</button></div>
</form>
</main>
</html>
`);
}
