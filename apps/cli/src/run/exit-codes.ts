/** Defines the exit codes of `podscope run`. */
export const exitCodes = {
  /** The condition of `--until` was reached. */
  reached: 0,
  /** The run reached a state from which the condition of `--until` can't be reached. */
  contrary: 1,
  /** The command line, the manifest or the fault plan is invalid. */
  usage: 2,
  /** The condition wasn't reached within `--timeout`. */
  timeout: 3,
  /** A thread stopped at a breakpoint, and no terminal is available for a prompt. */
  stopped: 4,
  /** The runtime doesn't respond, or the node can't be started. */
  unavailable: 5,
  /** The user pressed Ctrl+C. */
  interrupted: 130,
} as const;
