/** Defines the limits of a store. */

export interface StoreLimits {
  /** The maximum size of all events, in bytes. */
  readonly maxBytes: number;
  /** The maximum time for which a run is stored, in milliseconds. */
  readonly maxAge: number;
  /**
   * True if each process continues the newest run that isn't imported. The limits then never delete this run, also
   * between two processes; if it alone exceeds `maxBytes`, they delete its oldest events. Default: false.
   */
  readonly continues?: boolean;
}

/** Limits that delete nothing. */
export const unlimited: StoreLimits = { maxBytes: Number.POSITIVE_INFINITY, maxAge: Number.POSITIVE_INFINITY };

/** The default of `--runs-size`, in MiB. */
export const defaultRunsSize = 2048;

/** The default of `--runs-age`, in days. */
export const defaultRunsAge = 30;
