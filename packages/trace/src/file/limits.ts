/** Defines limits for reading trace files, because files come from untrusted sources. */

export interface TraceFileLimits {
  /** Size of the file in bytes. */
  readonly maxFileBytes: number;
  /** Decompressed size in bytes. */
  readonly maxBytes: number;
  /** Maximum compression ratio, checked once the output exceeds {@link ratioFreeBytes}. */
  readonly maxRatio: number;
  /** Decompressed bytes up to which any compression ratio is allowed. */
  readonly ratioFreeBytes: number;
  /** Length of a line in characters. */
  readonly maxLineLength: number;
  /** Nesting depth of arrays and objects. */
  readonly maxDepth: number;
  readonly maxEvents: number;
}

/** The maximum ratio is safe: crash loops, the most repetitive runs, compress about 60 to 1. */
export const defaultTraceFileLimits: TraceFileLimits = {
  maxFileBytes: 256 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  maxRatio: 250,
  ratioFreeBytes: 16 * 1024 * 1024,
  maxLineLength: 8 * 1024 * 1024,
  maxDepth: 100,
  maxEvents: 2_000_000,
};
