/** Encodes and decodes the base protocol of DAP: JSON messages, each preceded by a header with its length. */

/** Thrown when the peer doesn't speak DAP, so that its connection must be closed. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

/** Length limit of a message, in bytes. */
const maxMessage = 8 * 1024 ** 2;
/** Length limit of the header, in bytes: one line and an optional content type. */
const maxHeader = 256;
/**
 * Matches the only accepted headers. If a browser is tricked into sending a request to this port, the request starts
 * with a request line and other headers. So it is rejected before its body is read.
 */
const headerPattern = /^Content-Length: (\d{1,9})(?:\r\nContent-Type: [^\r\n]*)?$/i;

/** Assembles messages from chunks of bytes. */
export class MessageReader {
  #buffer: Buffer = Buffer.alloc(0);
  #expected: number | undefined;

  /** Adds a chunk and returns the messages that are complete. @throws FramingError */
  push(chunk: Buffer): readonly unknown[] {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    const messages: unknown[] = [];
    for (;;) {
      this.#expected ??= this.#header();
      if (this.#expected === undefined || this.#buffer.length < this.#expected) return messages;
      const text = this.#buffer.toString('utf8', 0, this.#expected);
      this.#buffer = this.#buffer.subarray(this.#expected);
      this.#expected = undefined;
      try {
        messages.push(JSON.parse(text));
      } catch (error) {
        throw new FramingError('a message is not JSON', { cause: error });
      }
    }
  }

  #header(): number | undefined {
    const end = this.#buffer.indexOf('\r\n\r\n');
    if (end < 0 ? this.#buffer.length > maxHeader : end > maxHeader) throw new FramingError('the header is too long');
    if (end < 0) return undefined;
    const length = headerPattern.exec(this.#buffer.toString('latin1', 0, end))?.[1];
    if (length === undefined) throw new FramingError('the header of a DAP message must contain only Content-Length');
    if (Number(length) > maxMessage) throw new FramingError(`a message of ${length} bytes is too long`);
    this.#buffer = this.#buffer.subarray(end + 4);
    return Number(length);
  }
}

/** Encodes a message with its header. */
export function frameMessage(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]);
}
