/** Parses a recording of the v1.20.2 dockershim: its requests and the calls that each of them made. */

/** A call of dockershim with its answer. */
export interface RecordedCall {
  readonly on: 'docker' | 'network' | 'checkpoint' | 'os' | 'file';
  readonly method: string;
  readonly result?: unknown;
  readonly error?: string | undefined;
  /** True if the answer was the error type for a missing image. */
  readonly imageNotFound?: boolean | undefined;
  /** The code in an error that the engine returned as JSON. */
  readonly code?: number | undefined;
  readonly [argument: string]: unknown;
}

export interface RecordedRequest {
  readonly request: { readonly method: string; readonly body: Readonly<Record<string, unknown>> };
  readonly calls: readonly RecordedCall[];
  readonly response: unknown;
  readonly error: string | null;
  readonly networkReady: Readonly<Record<string, boolean>>;
}

export interface DockershimVector {
  readonly id: string;
  readonly story?: string | undefined;
  readonly setup: {
    readonly cgroupDriver: 'cgroupfs' | 'systemd';
    readonly networkPlugin: string;
    /** The image of sandboxes; empty for the release's default. */
    readonly podSandboxImage: string;
    readonly loggingDriver: string;
    /** The files of the node, by path. */
    readonly files: Readonly<Record<string, string>> | null;
  };
  readonly steps: readonly (RecordedRequest | { readonly restart: true })[];
}
