/** Defines limits for reading trace files, which come from untrusted sources. */

export interface TraceFileLimits {
  /** The maximum size of the file in bytes. */
  readonly maxFileBytes: number;
  /** The maximum decompressed size in bytes. */
  readonly maxBytes: number;
  /** The maximum compression ratio. It is checked once the output is larger than {@link ratioFreeBytes}. */
  readonly maxRatio: number;
  /** Up to this decompressed size in bytes, any compression ratio is allowed. */
  readonly ratioFreeBytes: number;
  /** The maximum length of a line in characters. */
  readonly maxLineLength: number;
  /** The maximum nesting depth of arrays and objects. */
  readonly maxDepth: number;
  readonly maxEvents: number;
}

/**
 * The default limits. No genuine file exceeds the maximum ratio: crash loops, which are the most repetitive runs,
 * compress about 60 to 1.
 */
export const defaultTraceFileLimits: TraceFileLimits = {
  maxFileBytes: 256 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  maxRatio: 250,
  ratioFreeBytes: 16 * 1024 * 1024,
  maxLineLength: 8 * 1024 * 1024,
  maxDepth: 100,
  maxEvents: 2_000_000,
};
