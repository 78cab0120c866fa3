/**
 * Reads responses of a trace storage up to a size limit, so that a large or endless response doesn't exhaust the
 * memory.
 */
import { StartError } from '../../start-error.ts';

export interface AnswerLimits {
  /** Maximum size of one answer, in bytes after decompression. */
  readonly each: number;
  /** Maximum size of all answers together, in bytes. */
  readonly all: number;
}

const MiB = 1024 * 1024;
const defaults: AnswerLimits = { each: 64 * MiB, all: 256 * MiB };

const mebibytes = (bytes: number): string => `${Math.floor(bytes / MiB)} MiB`;

/** Reads the responses to one query, which have a common size limit. */
export class LimitedAnswers {
  readonly #limits: AnswerLimits;
  #read = 0;

  constructor(limits: AnswerLimits = defaults) {
    this.#limits = limits;
  }

  /**
   * Returns the text of a response. Stops reading at the first byte beyond a limit.
   * @throws StartError if this response, or all responses together, are too large
   */
  async textOf({ body }: Pick<Response, 'body'>, from: string): Promise<string> {
    if (!body) return '';
    const { each, all } = this.#limits;
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop cancels the stream, which closes the connection.
    for await (const chunk of body) {
      size += chunk.byteLength;
      this.#read += chunk.byteLength;
      if (size > each) throw tooLarge(`an answer of ${from} is larger than ${mebibytes(each)}`);
      if (this.#read > all) throw tooLarge(`the answers of ${from} are larger than ${mebibytes(all)} in all`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

const tooLarge = (what: string): StartError => new StartError(`${what}: choose a shorter time with --since`);
