import { expect, it } from 'vitest';
import { missingPlatforms } from './platforms.ts';

it('returns the packages of a lockfile that lack binaries for macOS or Linux', () => {
  const lockfile = `
snapshots:
  formatter@1.0.0:
    optionalDependencies:
      '@formatter/cli-linux-arm64': 1.0.0
      '@formatter/cli-linux-x64': 1.0.0
  linter@1.0.0:
    optionalDependencies:
      linter-darwin-arm64: 1.0.0
      linter-darwin-x64: 1.0.0
      linter-linux-arm64-gnu: 1.0.0
      linter-linux-x64-gnu: 1.0.0
  watcher@1.0.0:
    optionalDependencies:
      fsevents: 2.0.0
  plain@1.0.0: {}
`;
  expect(missingPlatforms(lockfile)).toEqual(['formatter@1.0.0: darwin-arm64, darwin-x64']);
});
