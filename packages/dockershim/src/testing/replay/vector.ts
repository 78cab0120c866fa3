/** Parses a recorded case of the v1.20.2 dockershim: requests and their calls. */

/** One call of dockershim with its answer. */
export interface RecordedCall {
  readonly on: 'docker' | 'network' | 'checkpoint' | 'os' | 'file';
  readonly method: string;
  readonly result?: unknown;
  readonly error?: string | undefined;
  /** The typed error for a missing image. */
  readonly imageNotFound?: boolean | undefined;
  /** From a JSON error of the engine. */
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
    /** Empty: the release's default. */
    readonly podSandboxImage: string;
    readonly loggingDriver: string;
    /** Files of the node. */
    readonly files: Readonly<Record<string, string>> | null;
  };
  readonly steps: readonly (RecordedRequest | { readonly restart: true })[];
}
