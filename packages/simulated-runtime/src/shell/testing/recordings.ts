/**
 * Scripts with the recorded output of busybox 1.36's shell, recorded from a real container (as a child of another
 * process 1).
 */
import recorded from './busybox-recordings.json' with { type: 'json' };

/** One script and its outcome. */
export interface ShellRecording {
  readonly script: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const shellRecordings: readonly ShellRecording[] = recorded;
