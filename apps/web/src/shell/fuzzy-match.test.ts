import { describe, expect, it } from 'vitest';
import { fuzzyMatch } from './fuzzy-match.ts';

const ranked = (query: string, ...texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => {
      const match = fuzzyMatch(text, query);
      return match ? [{ text, score: match.score }] : [];
    })
    .toSorted((left, right) => right.score - left.score)
    .map(({ text }) => text);

describe('a fuzzy match', () => {
  it('finds letters in their order, in any case', () => {
    expect(fuzzyMatch('Crash loop', 'CL')?.at).toEqual([0, 6]);
    expect(fuzzyMatch('Crash loop', 'lc')).toBeUndefined();
    expect(fuzzyMatch('anything', '')).toMatchObject({ at: [] });
  });

  it('takes words in any order', () => {
    expect(fuzzyMatch('Missing image', 'image mis')?.at).toEqual([0, 1, 2, 8, 9, 10, 11, 12]);
  });

  it('puts whole words first, then beginnings of words, then the rest', () => {
    expect(ranked('step', 'Set the pod', 'Last stop', 'Step over', 'Footsteps')).toEqual(['Step over', 'Footsteps', 'Set the pod']);
    expect(ranked('so', 'Person', 'Step over', 'Sandbox of another')).toEqual(['Person', 'Step over', 'Sandbox of another']);
  });

  it('prefers the shorter of two that are alike', () => {
    expect(ranked('web', 'web-0-with-a-long-name', 'web-0')).toEqual(['web-0', 'web-0-with-a-long-name']);
  });
});
