/**
 * Provides scripts with the output of busybox 1.36's shell. The output was recorded in a real container, in which the
 * shell was a child of process 1.
 */
import recorded from './busybox-recordings.json' with { type: 'json' };

/** A script and its recorded outcome. */
export interface ShellRecording {
  readonly script: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const shellRecordings: readonly ShellRecording[] = recorded;
