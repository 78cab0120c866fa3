/** Defines the scenarios, recordings and points that lessons may refer to. */

/** The parts of a scenario or recording that lessons refer to. */
export interface KnownScene {
  /** The profiles of a scenario, or the profile of a recording. */
  readonly profiles: readonly string[];
  /** Duration in seconds. */
  readonly duration: number;
  readonly manifest: string;
  /** The acts of a scenario. Acts may add pods and containers that the manifest doesn't have. */
  readonly acts?: readonly unknown[];
}

/** Everything that lessons may refer to. */
export interface Known {
  readonly scenarios: ReadonlyMap<string, KnownScene>;
  readonly recordings: ReadonlyMap<string, KnownScene>;
  /** Ids of points. */
  readonly points: ReadonlySet<string>;
  /** Reads a scenario that a lesson brings along. */
  readonly readScenario: (value: unknown) => {
    readonly scenario?: KnownScene | undefined;
    readonly error?:
      | { readonly issues: readonly { readonly path: PropertyKey[]; readonly message: string }[] }
      | undefined;
  };
}
