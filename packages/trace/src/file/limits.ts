/** How much of a file is read: it may come from anybody. */

export interface TraceFileLimits {
  /** Bytes of the file itself. */
  readonly maxFileBytes: number;
  /** Bytes once unpacked. */
  readonly maxBytes: number;
  /** How many times its size a file may unpack to, once that is more than {@link ratioFreeBytes}. */
  readonly maxRatio: number;
  /** Small files may compress as well as they can. */
  readonly ratioFreeBytes: number;
  /** Characters of one line. */
  readonly maxLineLength: number;
  /** How deep arrays and objects may lie in each other. */
  readonly maxDepth: number;
  readonly maxEvents: number;
}

/** Events of crash loops, the most repetitive there are, compress about 60 to 1. */
export const defaultTraceFileLimits: TraceFileLimits = {
  maxFileBytes: 256 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  maxRatio: 250,
  ratioFreeBytes: 16 * 1024 * 1024,
  maxLineLength: 8 * 1024 * 1024,
  maxDepth: 100,
  maxEvents: 2_000_000,
};
