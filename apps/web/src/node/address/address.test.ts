import { expect, it } from 'vitest';
import { readNewerLink } from './address.ts';

it.each([
  ['', undefined],
  ['?v=1&pod=default/web', undefined],
  ['?v=2&pod=default/web', 2],
  ['?v=soon', undefined],
])('finds the format of the link %j if it is newer than this page: %s', (query, version) => {
  expect(readNewerLink(query)).toBe(version);
});
