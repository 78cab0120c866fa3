/** Checks that the lockfile contains the binaries of each platform that developers use. */
import { parse } from 'yaml';
import { z } from 'zod';

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'] as const;

const lockfileSchema = z.object({
  snapshots: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) })),
});

/**
 * Returns the packages that have binaries for some of the platforms, with the platforms whose binaries aren't locked.
 * pnpm omits a binary that it can't resolve, for example one that is too new, and doesn't add it later.
 * @param lockfile the text of `pnpm-lock.yaml`
 * @throws Error if the text isn't a lockfile
 */
export function missingPlatforms(lockfile: string): readonly string[] {
  const { snapshots } = lockfileSchema.parse(parse(lockfile));
  return Object.entries(snapshots).flatMap(([name, { optionalDependencies }]) => {
    const binaries = Object.keys(optionalDependencies);
    const absent = platforms.filter((platform) => !binaries.some((each) => each.includes(platform)));
    return absent.length > 0 && absent.length < platforms.length ? [`${name}: ${absent.join(', ')}`] : [];
  });
}
