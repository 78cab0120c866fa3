/** Decides whether npx may download Podscope: a published version, in a trusted workspace, with the user's consent. */

/**
 * Whether the package `podscope` is in the npm registry. While it isn't, its name could be registered by anyone, so
 * npx isn't offered. Set it to true with the first release.
 */
export const isPublished: boolean = false;

/** The versions of Podscope that the user agreed to download. */
const consentKey = 'podscope.npx.versions';

export interface ConsentEnvironment {
  readonly isPublished: boolean;
  /** Returns whether the workspace is trusted. */
  readonly isTrusted: () => boolean;
  /** Remembers values for all windows of the user. */
  readonly memory: {
    readonly get: (key: string) => unknown;
    readonly update: (key: string, value: unknown) => PromiseLike<void>;
  };
  /** Asks the user about this version. */
  readonly ask: (version: string) => Promise<boolean>;
}

/** Returns whether npx may download a version of Podscope. Asks the user unless they agreed to this version before. */
export async function mayUseNpx(
  version: string,
  { isPublished: isAvailable, isTrusted, memory, ask }: ConsentEnvironment,
): Promise<boolean> {
  if (!isAvailable || !isTrusted()) return false;
  const stored = memory.get(consentKey);
  const versions: readonly unknown[] = Array.isArray(stored) ? stored : [];
  if (versions.includes(version)) return true;
  if (!(await ask(version))) return false;
  await memory.update(consentKey, [...versions, version]);
  return true;
}
