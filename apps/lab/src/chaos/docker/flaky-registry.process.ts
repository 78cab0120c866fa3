/**
 * Runs a registry in a separate process on 127.0.0.1:PORT. It serves one small image under any tag, each with a layer
 * of its own. When the parent process requests it, the registry breaks connections in the middle of layers. Arguments:
 * PORT, and the unpacked files of the image as written by `docker save`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

const [port = '', directory = ''] = process.argv.slice(2);
const ownLayerBytes = 512 * 1024;

interface Blob {
  readonly digest: string;
  readonly bytes: Buffer;
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const blobs = new Map<string, Buffer>();
const manifests = new Map<string, Blob>();
let breaks = false;
process.on('message', (message) => {
  breaks = message === 'break';
});
process.on('disconnect', () => process.exit());

function keep(bytes: Buffer): Blob {
  const blob = { digest: digestOf(bytes), bytes };
  blobs.set(blob.digest, bytes);
  return blob;
}

/** Returns a tar archive of one file. */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  const fields: readonly (readonly [offset: number, value: number, digits: number])[] = [
    [100, 0o644, 7],
    [108, 0, 7],
    [116, 0, 7],
    [124, content.length, 11],
    [136, 0, 11],
  ];
  for (const [offset, value, digits] of fields) header.write(value.toString(8).padStart(digits, '0'), offset);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(((512 - (content.length % 512)) % 512) + 1024)]);
}

const saved = z
  .array(z.object({ Config: z.string(), Layers: z.array(z.string()) }))
  .parse(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')));
const [image] = saved;
if (!image) throw new Error(`${directory} has no image`);
const config = z
  .looseObject({ rootfs: z.looseObject({ diff_ids: z.array(z.string()) }) })
  .parse(JSON.parse(readFileSync(join(directory, image.Config), 'utf8')));
const common = image.Layers.map((layer) => keep(gzipSync(readFileSync(join(directory, layer)))));
const types = 'application/vnd.docker.';

function manifestOf(tag: string): Blob {
  const known = manifests.get(tag);
  if (known) return known;
  const tar = tarOf('chaos', randomBytes(ownLayerBytes));
  const own = keep(gzipSync(tar));
  const { history: _, ...rest } = config;
  const configBlob = keep(
    Buffer.from(
      JSON.stringify({ ...rest, rootfs: { ...config.rootfs, diff_ids: [...config.rootfs.diff_ids, digestOf(tar)] } }),
    ),
  );
  const describe = (type: string, { digest, bytes }: Blob) => ({
    mediaType: `${types}${type}`,
    size: bytes.length,
    digest,
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: `${types}distribution.manifest.v2+json`,
    config: describe('container.image.v1+json', configBlob),
    layers: [...common, own].map((layer) => describe('image.rootfs.diff.tar.gzip', layer)),
  };
  const bytes = Buffer.from(JSON.stringify(manifest));
  const made = { digest: digestOf(bytes), bytes };
  manifests.set(tag, made).set(made.digest, made);
  return made;
}

createServer((request, response) => {
  const path = request.url ?? '';
  const [, tag] = /^\/v2\/flaky\/manifests\/(.+)$/.exec(path) ?? [];
  const [, digest] = /^\/v2\/flaky\/blobs\/(.+)$/.exec(path) ?? [];
  if (tag !== undefined) {
    const { bytes, digest: own } = manifestOf(decodeURIComponent(tag));
    response.writeHead(200, {
      'Content-Type': `${types}distribution.manifest.v2+json`,
      'Content-Length': bytes.length,
      'Docker-Content-Digest': own,
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  const blob = digest === undefined ? undefined : blobs.get(digest);
  if (blob) {
    response.writeHead(200, { 'Content-Length': blob.length });
    if (breaks && blob.length > ownLayerBytes / 2) {
      response.write(blob.subarray(0, blob.length / 2), () => response.destroy());
      process.send?.('broken');
    } else response.end(blob);
    return;
  }
  response.writeHead(path === '/v2/' ? 200 : 404).end();
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
