import { expect, it } from 'vitest';
import { protocolMismatch } from './format-versions.ts';

it('names both protocol numbers and the side to update', () => {
  expect(protocolMismatch({ client: 1, node: 2 })).toBe(
    'The node speaks protocol 2, the client protocol 1. Reload the page, or update the client.',
  );
  expect(protocolMismatch({ client: 3, node: 2 })).toBe(
    'The node speaks protocol 2, the client protocol 3. Update the server: the client is from a newer release.',
  );
});
