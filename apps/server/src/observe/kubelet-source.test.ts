/** Tests how a kubelet's own API is reached: port 10250 with a token or a client certificate, and its authority. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createServerCertificate, type ServerCertificate } from '../tls/certificates.ts';
import { KubeletSource, type KubeletSourceOptions } from './kubelet-source.ts';
import { ObservedHost } from './observed-host.ts';

const soon = { timeout: 120_000, interval: 20 };
let directory: string;
let own: ServerCertificate;
let other: ServerCertificate;
let url: string;
/** The token that the kubelet accepts. */
let accepted = 'first';
const cleanups: (() => unknown)[] = [];

const path = (name: string): string => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kubelet-source-'));
  [own, other] = await Promise.all([createServerCertificate('127.0.0.1'), createServerCertificate('127.0.0.1')]);
  const tls = { cert: own.certificate, key: own.key, requestCert: true, rejectUnauthorized: false };
  const kubelet = createServer(tls, (request, response) => {
    const hasToken = request.headers.authorization === `Bearer ${accepted}`;
    const hasCertificate = (request.socket as TLSSocket).getPeerX509Certificate()?.subject === 'CN=podscope';
    if (!hasToken && !hasCertificate) response.writeHead(401).end('Unauthorized');
    else response.end(JSON.stringify({ items: [], kubeletconfig: {} }));
  });
  await new Promise<void>((listening) => kubelet.listen(0, '127.0.0.1', listening));
  url = `https://127.0.0.1:${(kubelet.address() as AddressInfo).port}`;
  for (const [name, text] of Object.entries({
    token: 'first\n',
    'ca.pem': own.ca,
    'other-ca.pem': other.ca,
    'client.pem': other.certificate,
    'client.key': other.key,
  }))
    await writeFile(path(name), text);
  return () => kubelet.close();
});
afterAll(() => rm(directory, { recursive: true, force: true }));
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Polls the kubelet, and returns the sources that answered and the notices. */
function polled(options: Partial<KubeletSourceOptions>) {
  const host = new ObservedHost();
  const notices: string[] = [];
  const source = new KubeletSource(host.observer, {
    url,
    every: 5,
    notify: (message) => notices.push(message),
    ...options,
  });
  cleanups.push(
    () => host.stop(),
    () => source.stop(),
  );
  return { notices, sources: () => host.nodeInfo().observed?.sources };
}

describe('a kubelet on port 10250', () => {
  it.each([
    ['a token', () => ({ tokenFile: path('token') })],
    ['a token and its authority', () => ({ tokenFile: path('token'), caFile: path('ca.pem') })],
    ['a client certificate', () => ({ certFile: path('client.pem'), keyFile: path('client.key') })],
  ])('answers with %s', async (_name, options) => {
    const { sources, notices } = polled(options());
    await vi.waitFor(() => expect(sources()).toEqual(['pods', 'configz']), soon);
    expect(notices).toEqual([]);
  });

  it('answers no request without credentials, which is reported once', async () => {
    const { sources, notices } = polled({});
    await vi.waitFor(() => expect(notices).toEqual([`${url}: /pods answers 401`]), soon);
    expect(sources()).toEqual([]);
  });

  it('gets no token if its certificate is not from the given authority', async () => {
    const { sources, notices } = polled({ tokenFile: path('token'), caFile: path('other-ca.pem') });
    await vi.waitFor(() => expect(notices).toEqual([expect.stringMatching(/certificate|signature/)]), soon);
    expect(sources()).toEqual([]);
  });

  it('gets the token in the file, which is rotated, at each request, and reports when it answers again', async () => {
    accepted = 'second';
    const { sources, notices } = polled({ tokenFile: path('token') });
    await vi.waitFor(() => expect(notices).toHaveLength(1), soon);
    await writeFile(path('token'), 'second\n');
    await vi.waitFor(() => expect(sources()).toEqual(['pods', 'configz']), soon);
    await vi.waitFor(() => expect(notices).toEqual([`${url}: /pods answers 401`, `${url} answers now`]), soon);
  });
});
