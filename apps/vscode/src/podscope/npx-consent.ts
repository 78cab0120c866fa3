/**
 * Decides whether npx may download Podscope. It may if the version is published, the workspace is trusted, and the user
 * agrees.
 */

/**
 * Whether the package `podscope` is in the npm registry. Until then, anyone could register the name, so npx isn't
 * offered. Set this to true with the first release.
 */
export const isPublished: boolean = false;

/** The key under which the versions are stored that the user agreed to download. */
const consentKey = 'podscope.npx.versions';

export interface ConsentEnvironment {
  readonly isPublished: boolean;
  /** Returns true if the workspace is trusted. */
  readonly isTrusted: () => boolean;
  /** Stores values for all windows of the user. */
  readonly memory: {
    readonly get: (key: string) => unknown;
    readonly update: (key: string, value: unknown) => PromiseLike<void>;
  };
  /** Asks the user whether npx may download this version. */
  readonly ask: (version: string) => Promise<boolean>;
}

/**
 * Returns true if npx may download a version of Podscope. Asks the user, unless the user agreed to this version
 * earlier.
 */
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
