/**
 * Serves the dashboard from dist/, and forwards /api/ and /apis/ to the cluster of a kubeconfig:
 * KUBECONFIG=… PORT=8080 node server.mjs
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { homedir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { parse } from 'yaml';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const config = parse(await readFile(process.env.KUBECONFIG ?? join(homedir(), '.kube/config'), 'utf8'));
const { context } = config.contexts.find(({ name }) => name === config['current-context']);
const { cluster } = config.clusters.find(({ name }) => name === context.cluster);
const { user } = config.users.find(({ name }) => name === context.user);
const authority = Buffer.from(cluster['certificate-authority-data'], 'base64');

/** Forwards a request to the cluster. Watches stay open until one end closes. */
function forward(incoming, response) {
  const outgoing = request(
    new URL(incoming.url, cluster.server),
    {
      method: incoming.method,
      ca: authority,
      servername: cluster['tls-server-name'],
      headers: { accept: incoming.headers.accept, authorization: `Bearer ${user.token}` },
    },
    (answer) => {
      response.writeHead(answer.statusCode, { 'content-type': answer.headers['content-type'] });
      answer.pipe(response);
    },
  );
  outgoing.on('error', (error) =>
    response.headersSent ? response.destroy() : response.writeHead(502).end(error.message),
  );
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function serveFile(path, response) {
  const file = join(import.meta.dirname, 'dist', normalize(path === '/' ? '/index.html' : path));
  try {
    const content = await readFile(file);
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}

const server = createServer((incoming, response) => {
  const { pathname } = new URL(incoming.url, 'http://localhost');
  if (/^\/apis?\//.test(pathname)) forward(incoming, response);
  else void serveFile(pathname, response);
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
