/** How `podscope run` ends, as a number. */
export const exitCodes = {
  /** What `--until` names has come about. */
  reached: 0,
  /** The run came to an end after which it cannot. */
  contrary: 1,
  /** The command line, the manifest or the fault plan is not right. */
  usage: 2,
  /** Nothing of the kind within `--timeout`. */
  timeout: 3,
  /** A thread stopped at a breakpoint, and nobody was there to let it go on. */
  stopped: 4,
  /** The runtime does not answer, or the node cannot be started. */
  unavailable: 5,
  /** Ctrl+C. */
  interrupted: 130,
} as const;
