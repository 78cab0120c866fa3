import { describe, expect, it } from 'vitest';
import { type ItemReference, itemId, parseItemId } from './item-id.ts';

describe('ids of items', () => {
  it.each<[string, ItemReference]>([
    ['span:12', { kind: 'span', span: 12 }],
    ['attempt:3f2a', { kind: 'attempt', attempt: '3f2a' }],
    ['exit:docker://3f2a', { kind: 'exit', attempt: 'docker://3f2a' }],
    [
      'backoff:8f1c-uid:app:container:1700.25',
      { kind: 'backoff', uid: '8f1c-uid', container: 'app', of: 'container', since: 1700.25 },
    ],
    ['wait:8f1c-uid:app:1700.25', { kind: 'wait', uid: '8f1c-uid', container: 'app', start: 1700.25 }],
    ['stopped:7', { kind: 'stopped', seq: 7 }],
  ])('formats and parses %s', (id, reference) => {
    expect(itemId(reference)).toBe(id);
    expect(parseItemId(id)).toEqual(reference);
  });

  it.each(['', 'span', 'phase:8f1c-uid:5', 'backoff:app:container:5', 'wait:app:5'])('returns undefined for %j', (id) =>
    expect(parseItemId(id)).toBeUndefined(),
  );
});
