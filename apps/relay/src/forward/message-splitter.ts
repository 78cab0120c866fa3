/**
 * Finds the messages in the bytes of a gRPC stream. Each message is preceded by a flag of one byte and a length of four
 * bytes.
 */

const prefixLength = 5;
/**
 * Maximum length of a message that is reported, in bytes. Longer messages aren't CRI messages, because the kubelet
 * accepts only 16 MiB. They are forwarded without being reported.
 */
const maxMessage = 64 * 1024 * 1024;

/**
 * Length above which a message is collected in its own buffer, in bytes. The buffer is freed as soon as the message has
 * been reported, because the garbage collector frees external memory late.
 */
const ownBufferAbove = 1024 * 1024;

/** A message, and its end in the chunk that completed it. */
export interface FoundMessage {
  readonly isCompressed: boolean;
  readonly bytes: Buffer;
  readonly end: number;
  /** Frees the memory of `bytes`, whose length is 0 afterwards. Absent if `bytes` is a view of the received data. */
  readonly release?: () => void;
}

/** Splits one direction of a call into messages. Never throws: if the bytes aren't gRPC, they are ignored. */
export class MessageSplitter {
  #chunks: Buffer[] = [];
  #length = 0;
  /** The buffer of a large message, which is filled while data arrives. */
  #large: Buffer<ArrayBuffer> | undefined;
  #isUnreadable = false;
  /** Number of remaining bytes of a message that isn't stored, and that are skipped. */
  #toSkip = 0;

  /**
   * Returns the messages that `chunk` completes.
   * @param keep false if messages that begin in this chunk aren't needed; they are then skipped without being stored
   */
  push(given: Buffer, keep = true): readonly FoundMessage[] {
    if (this.#isUnreadable) return [];
    let skipped = Math.min(this.#toSkip, given.length);
    this.#toSkip -= skipped;
    if (!keep && this.#length === 0) {
      while (given.length - skipped >= prefixLength) {
        const end = skipped + prefixLength + given.readUInt32BE(skipped + 1);
        skipped = Math.min(end, given.length);
        this.#toSkip = end - skipped;
      }
    }
    return this.#push(given.subarray(skipped), skipped);
  }

  #push(chunk: Buffer, skipped: number): readonly FoundMessage[] {
    if (chunk.length === 0) return [];
    const before = this.#length;
    if (this.#large) return this.#fill(this.#large, chunk, skipped);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const needed = this.#needed();
    if (this.#length < needed) {
      if (needed > ownBufferAbove && needed <= prefixLength + maxMessage) {
        this.#large = Buffer.allocUnsafeSlow(needed);
        Buffer.concat(this.#chunks, this.#length).copy(this.#large);
        this.#chunks = [];
      }
      return [];
    }
    const [only = chunk] = this.#chunks;
    const all = this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#length);
    const found: FoundMessage[] = [];
    let at = 0;
    while (all.length - at >= prefixLength) {
      const end = at + prefixLength + all.readUInt32BE(at + 1);
      if (end - at > maxMessage) {
        this.#isUnreadable = true;
        this.#chunks = [];
        return found;
      }
      if (end > all.length) break;
      found.push({
        isCompressed: all[at] === 1,
        bytes: all.subarray(at + prefixLength, end),
        end: end - before + skipped,
      });
      at = end;
    }
    this.#length = all.length - at;
    this.#chunks = this.#length > 0 ? [all.subarray(at)] : [];
    return found;
  }

  /**
   * Adds data to the buffer of a large message. Returns the message if it is complete, and all further messages in the
   * chunk.
   */
  #fill(large: Buffer<ArrayBuffer>, chunk: Buffer, skipped: number): readonly FoundMessage[] {
    const used = chunk.copy(large, this.#length);
    this.#length += used;
    if (this.#length < large.length) return [];
    this.#large = undefined;
    this.#length = 0;
    const message: FoundMessage = {
      isCompressed: large[0] === 1,
      bytes: large.subarray(prefixLength),
      end: skipped + used,
      release: () => void large.buffer.transfer(0),
    };
    return [message, ...this.#push(chunk.subarray(used), skipped + used)];
  }

  /**
   * Returns the number of bytes of the first message with its prefix. If the prefix is incomplete, returns the length
   * of the prefix.
   */
  #needed(): number {
    if (this.#length < prefixLength) return prefixLength;
    const [first] = this.#chunks;
    if (first && first.length >= prefixLength) return prefixLength + first.readUInt32BE(1);
    this.#chunks = [Buffer.concat(this.#chunks, this.#length)];
    return prefixLength + (this.#chunks[0]?.readUInt32BE(1) ?? 0);
  }
}
