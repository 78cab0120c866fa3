/** Stores the recording in progress. */
import type { Command } from '@podscope/protocol';
import { create } from 'zustand';

/** A command that was sent to the node, with the seconds since the start of the run. */
export interface RecordedCommand {
  readonly at: number;
  readonly command: Command;
}

/** A moment that becomes a step of the lesson. */
export interface Moment {
  /** The time of the moment, in seconds since the start of the run. */
  readonly at: number;
  /** The tab that was open. */
  readonly tab: string;
  /** The point of the selected call; undefined without a selection. */
  readonly point: string | undefined;
}

export interface Recording {
  /** Id of the library's scenario that the recording continues; undefined for an empty node. */
  readonly base: string | undefined;
  readonly commands: readonly RecordedCommand[];
  readonly moments: readonly Moment[];
}

export const useRecording = create<{ readonly recording: Recording | undefined }>()(() => ({ recording: undefined }));
