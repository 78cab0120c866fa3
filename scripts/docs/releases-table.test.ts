/** Compares the table of releases in docs/use/shadow.md with the differences that the shadow engine knows. */
import { expect, it } from 'vitest';
import { knownDifferences } from '../../packages/observer/src/releases.ts';
import { pageText } from './example-edits.ts';

it('lists the kubelets of each known difference in the table of docs/use/shadow.md', () => {
  const [, section = ''] = pageText('use/shadow.md').split('## Releases between the profiles');
  const shown = [...section.matchAll(/^\| (v1\.\d+(?: to v1\.\d+)?) /gm)].map(([, kubelets]) => kubelets);
  const known = knownDifferences.map(({ from, to }) => (from === to ? `v1.${from}` : `v1.${from} to v1.${to}`));
  expect(new Set(shown)).toEqual(new Set(known));
  expect(shown.length).toBe(known.length);
});
