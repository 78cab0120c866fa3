/** Serves one image on loopback. Its layer stalls until the test continues it, and then has the wrong digest. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StallingRegistry {
  /** The image to pull. */
  readonly image: string;
  /** Resolves when a client has received the beginning of the layer. */
  readonly pulling: Promise<void>;
  /** Sends the rest of the layer. Its digest is wrong, so the engine fails the pull without a retry. */
  fail(): void;
  close(): void;
}

const digestOf = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Serves until closed. */
export async function startStallingRegistry(): Promise<StallingRegistry> {
  const layer = {
    mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
    size: 1_000_000,
    digest: digestOf('never there'),
  };
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [digestOf('nor unpacked')] },
  });
  const type = 'application/vnd.docker.distribution.manifest.v2+json';
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: type,
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      size: config.length,
      digest: digestOf(config),
    },
    layers: [layer],
  });
  const beginning = 'a beginning';
  const pulling = Promise.withResolvers<void>();
  const unfinished: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url.includes('/manifests/')) {
      response.writeHead(200, {
        'Content-Type': type,
        'Docker-Content-Digest': digestOf(manifest),
        'Content-Length': manifest.length,
      });
      response.end(request.method === 'HEAD' ? undefined : manifest);
    } else if (url.endsWith(digestOf(config))) {
      response
        .writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': config.length })
        .end(config);
    } else if (url.endsWith(layer.digest)) {
      response
        .writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': layer.size })
        .write(beginning);
      unfinished.push(response);
      pulling.resolve();
    } else {
      response.writeHead(url === '/v2/' ? 200 : 404).end('{}');
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    image: `127.0.0.1:${(server.address() as AddressInfo).port}/slow/image:1`,
    pulling: pulling.promise,
    fail() {
      for (const response of unfinished.splice(0)) response.end(Buffer.alloc(layer.size - beginning.length));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
