/** Tests a server with a certificate that the user provides: every endpoint requires HTTPS. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protocolVersion } from '@podscope/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { StartError } from '../start-error.ts';
import { rawRequest, upgradeHeaders } from '../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createServerCertificate } from './certificates.ts';
import { readGivenCertificate } from './given-certificate.ts';

let folder: string;
let server: TestServer;
let ca: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podscope-tls-'));
  const made = await createServerCertificate('box.lan');
  ca = made.ca;
  await writeFile(file('cert.pem'), `${made.certificate}\n${made.ca}`);
  await writeFile(file('key.pem'), made.key);
  server = await startTestServer([
    '--tls-cert',
    file('cert.pem'),
    '--tls-key',
    file('key.pem'),
    '--host',
    '0.0.0.0',
    '--token',
    'own-token-of-mine',
  ]);
});
afterAll(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

const bearer = { Authorization: 'Bearer own-token-of-mine' };

describe('with a certificate', () => {
  it('responds only over TLS', async () => {
    const path = '/api/v1/pods';
    const tls = { ca, servername: 'box.lan' };
    expect(
      await rawRequest({ port: server.port, path, headers: { ...bearer, Connection: 'close' }, tls }),
    ).toMatchObject({ status: 200 });
    const plain = await rawRequest({ port: server.port, path, headers: bearer });
    expect(plain).toMatchObject({
      status: 400,
      text: expect.stringContaining('Client sent an HTTP request to an HTTPS server.'),
    });
  });

  it('accepts the host names of the certificate, and no others', async () => {
    const answer = (host: string): Promise<{ readonly status: number }> =>
      rawRequest({
        port: server.port,
        path: '/healthz',
        headers: { Host: `${host}:${server.port}`, Connection: 'close' },
        tls: { ca, servername: 'box.lan' },
      });
    expect(await answer('box.lan')).toMatchObject({ status: 200 });
    expect(await answer('evil.example')).toMatchObject({ status: 421 });
  });

  it('sets a cookie that is sent only over TLS', async () => {
    const setCookie = await new Promise<string>((resolve, reject) => {
      const request = httpsRequest(
        { host: '127.0.0.1', port: server.port, path: '/?token=own-token-of-mine', ca, servername: 'box.lan' },
        (response) => {
          response.resume();
          resolve(String(response.headers['set-cookie']));
        },
      );
      request.on('error', reject);
      request.end();
    });
    expect(setCookie).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('serves the stream', async () => {
    const origin = `https://127.0.0.1:${server.port}`;
    const open = (from: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`wss://127.0.0.1:${server.port}/stream`, {
          ca,
          headers: { ...bearer, Origin: from },
        });
        socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion })));
        socket.on('message', (data) => {
          resolve((JSON.parse((data as Buffer).toString('utf8')) as { type: string }).type);
          socket.close();
        });
        socket.on('unexpected-response', (_request, response) => {
          resolve(response.statusCode);
          response.destroy();
        });
        socket.on('error', reject);
      });
    expect(await open(origin)).toBe('welcome');
    // A page that was loaded over plain HTTP counts as another site.
    expect(await open(origin.replace('https', 'http'))).toBe(403);
  });

  it.each(['exec?command=id&stdout=1', 'attach?stdout=1', 'portforward?ports=80'])(
    'accepts upgrades for %s',
    async (stream) => {
      const path = `/api/v1/namespaces/default/pods/none/${stream}`;
      const answer = await rawRequest({
        port: server.port,
        path,
        headers: { ...bearer, ...upgradeHeaders('SPDY/3.1') },
        tls: { ca, servername: 'box.lan' },
      });
      expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('pods \\"none\\" not found') });
    },
  );

  it('is named in the kubeconfig', async () => {
    const config = parse(await readFile(server.kubeconfigPath, 'utf8')) as {
      clusters: { cluster: Record<string, string> }[];
    };
    const cluster = config.clusters[0]?.cluster;
    expect(server.url).toMatch(/^https:\/\//);
    expect(cluster?.['server']).toMatch(/^https:\/\/127\.0\.0\.1:/);
    expect(Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString()).toContain(
      'BEGIN CERTIFICATE',
    );
  });
});

describe('an invalid certificate', () => {
  it.each([
    ['is missing', { certificate: 'none.pem', key: 'key.pem' }, /cannot be read/],
    ['has another key', { certificate: 'cert.pem', key: 'other.pem' }, /not a certificate and its key/],
    ['is a key', { certificate: 'key.pem', key: 'key.pem' }, /not a certificate and its key/],
  ])('%s', async (_name, { certificate, key }, message) => {
    await writeFile(file('other.pem'), (await createServerCertificate('a')).key);
    const reading = readGivenCertificate({ certificate: file(certificate), key: file(key) });
    await expect(reading).rejects.toThrow(StartError);
    await expect(reading).rejects.toThrow(message);
  });

  it('has expired', async () => {
    const later = Date.now() + 20 * 365 * 86_400_000;
    await expect(readGivenCertificate({ certificate: file('cert.pem'), key: file('key.pem') }, later)).rejects.toThrow(
      'has expired',
    );
  });
});

it('shows a warning when served without a certificate', async () => {
  const open = await startTestServer(['--host', '0.0.0.0', '--token', 'own-token-of-mine', '--insecure']);
  try {
    expect(open.notices[0]).toMatch(/^INSECURE: 0\.0\.0\.0 is served over plain HTTP/);
  } finally {
    await open.dispose();
  }
});
