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
  it('matches letters that continue or begin a word, ignoring case', () => {
    expect(fuzzyMatch('Crash loop', 'CL')?.at).toEqual([0, 6]);
    expect(fuzzyMatch('Crash loop', 'crlo')?.at).toEqual([0, 1, 6, 7]);
    expect(fuzzyMatch('Crash loop', 'lc')).toBeUndefined();
    expect(fuzzyMatch('Show or hide the pods', 'step')).toBeUndefined();
    expect(fuzzyMatch('anything', '')).toMatchObject({ at: [] });
  });

  it('backtracks to another word start', () => {
    expect(fuzzyMatch('Start step', 'ste')?.at).toEqual([6, 7, 8]);
    expect(fuzzyMatch('Set sandbox pod', 'sap')?.at).toEqual([4, 5, 12]);
  });

  it('matches words in any order', () => {
    expect(fuzzyMatch('Missing image', 'image mis')?.at).toEqual([0, 1, 2, 8, 9, 10, 11, 12]);
  });

  it('ranks whole words first, then substrings, then word starts', () => {
    expect(ranked('step', 'Sync the episode', 'Step over', 'Footsteps')).toEqual([
      'Step over',
      'Footsteps',
      'Sync the episode',
    ]);
  });

  it('ranks the shorter of two equal matches first', () => {
    expect(ranked('web', 'web-0-with-a-long-name', 'web-0')).toEqual(['web-0', 'web-0-with-a-long-name']);
  });
});
