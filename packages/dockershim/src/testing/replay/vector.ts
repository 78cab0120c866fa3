/** A recorded case of the v1.20.2 dockershim: requests, and the calls that each made. */

/** One call of dockershim, with what it was told. */
export interface RecordedCall {
  readonly on: 'docker' | 'network' | 'checkpoint' | 'os' | 'file';
  readonly method: string;
  readonly result?: unknown;
  readonly error?: string | undefined;
  /** The typed error of an image that is not there. */
  readonly imageNotFound?: boolean | undefined;
  /** Of a JSON error of the engine. */
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
    /** Empty: the release's own. */
    readonly podSandboxImage: string;
    readonly loggingDriver: string;
    /** Files of the node. */
    readonly files: Readonly<Record<string, string>> | null;
  };
  readonly steps: readonly (RecordedRequest | { readonly restart: true })[];
}
