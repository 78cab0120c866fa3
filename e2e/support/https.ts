/** Serves HTTPS on this machine with a self-signed certificate, for probes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface HttpsServer {
  readonly port: number;
  close(): void;
}

/** Writes a self-signed certificate for 127.0.0.1 and its key into a folder. @returns their paths */
export async function makeCertificate(folder: string): Promise<{ readonly certificate: string; readonly key: string }> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=probe',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-days',
    '1',
  ];
  await promisify(execFile)('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate]);
  return { certificate, key };
}

/**
 * Starts a server that responds with 200 to every request, on a free port of all addresses so that containers reach it.
 */
export async function serveHttps(): Promise<HttpsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'podscope-https-'));
  const { certificate, key } = await makeCertificate(folder);
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (_request, response) =>
    response.end('fine'),
  ).listen(0);
  await once(server, 'listening');
  await rm(folder, { recursive: true, force: true });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
