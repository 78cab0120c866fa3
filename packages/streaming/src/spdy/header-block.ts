/** Encodes and parses SPDY header blocks: names and values in one zlib stream per direction. */
import { constants, createInflate } from 'node:zlib';
import { headerDictionary } from './dictionary.ts';

/** Headers by lower-case name. A value may have several parts joined with NUL. */
export type SpdyHeaders = Readonly<Record<string, string>>;

const maxBlockBytes = 64 * 1024;
/** A zlib header without a dictionary: window of 32 KiB, fastest level. */
const zlibHead = Buffer.from([0x78, 0x01]);
/** An empty stored block, the end of a sync flush. Go's decoder returns data only after it. */
const flushMark = Buffer.from([0, 0, 0, 0xff, 0xff]);

function serialize(headers: SpdyHeaders): Buffer {
  const entries = Object.entries(headers);
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value);
    return Buffer.concat([number(bytes.length), bytes]);
  };
  return Buffer.concat([
    number(entries.length),
    ...entries.flatMap(([name, value]) => [text(name.toLowerCase()), text(value)]),
  ]);
}

function parse(block: Buffer): SpdyHeaders {
  let offset = 0;
  const number = (): number => {
    offset += 4;
    return block.readUInt32BE(offset - 4);
  };
  const text = (): string => {
    const length = number();
    if (offset + length > block.length) throw new Error('SPDY header block is shorter than its length field');
    offset += length;
    return block.toString('utf8', offset - length, offset);
  };
  const count = number();
  // Every header takes at least 8 bytes.
  if (count > block.length / 8) throw new Error('SPDY header block is shorter than its length field');
  return Object.fromEntries(Array.from({ length: count }, () => [text(), text()]));
}

/** Encodes header blocks as stored (uncompressed) deflate blocks, which every decoder reads and which need no state. */
export class HeaderWriter {
  #isFirst = true;

  write(headers: SpdyHeaders): Buffer {
    const block = serialize(headers);
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(block.length, 1);
    stored.writeUInt16LE(~block.length & 0xffff, 3);
    const head = this.#isFirst ? zlibHead : Buffer.alloc(0);
    this.#isFirst = false;
    return Buffer.concat([head, stored, block, flushMark]);
  }
}

/** Parses consecutive header blocks. */
export class HeaderReader {
  readonly #inflate = createInflate({ dictionary: headerDictionary });

  /** @throws Error for an invalid or too large block */
  async read(compressed: Buffer): Promise<SpdyHeaders> {
    const chunks: Buffer[] = [];
    let length = 0;
    const inflate = this.#inflate;
    await new Promise<void>((resolve, reject) => {
      const onData = (chunk: Buffer): void => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxBlockBytes) inflate.destroy(new Error(`SPDY header block exceeds ${maxBlockBytes} bytes`));
      };
      const done = (error?: Error): void => {
        inflate.off('data', onData);
        inflate.off('error', done);
        if (error) reject(error);
        else resolve();
      };
      inflate.on('data', onData);
      inflate.once('error', done);
      inflate.write(compressed);
      inflate.flush(constants.Z_SYNC_FLUSH, () => done());
    });
    return parse(Buffer.concat(chunks));
  }

  close(): void {
    this.#inflate.close();
  }
}
