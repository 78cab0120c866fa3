import { expect, it } from 'vitest';
import { lineChanges } from './line-changes.ts';

const applied = (text: string, after: string): string =>
  lineChanges(text, after).reduceRight(
    (result, { from, to, insert }) => result.slice(0, from) + insert + result.slice(to),
    text,
  );

it('keeps the lines between two changes', () => {
  const before = 'resourceVersion: "1"\nspec:\n  cpu: 1\nstatus:\n  phase: Pending\n';
  const after = 'resourceVersion: "2"\nspec:\n  cpu: 1\nstatus:\n  phase: Running\n  podIP: 10.0.0.1\n';
  expect(lineChanges(before, after)).toEqual([
    { from: 0, to: 21, insert: 'resourceVersion: "2"\n' },
    { from: 44, to: 61, insert: '  phase: Running\n  podIP: 10.0.0.1\n' },
  ]);
});

it('turns any text into any other, for all texts of up to four lines', () => {
  let texts = [''];
  for (let lines = 0; lines < 4; lines++)
    texts = [...new Set(['', ...texts.flatMap((text) => ['a', 'b', ''].map((line) => `${text}${line}\n`)), ...texts])];
  const all = [...texts, ...texts.map((text) => `${text}c`)];
  const wrong = all.flatMap((before) => all.filter((after) => applied(before, after) !== after));
  expect(wrong).toEqual([]);
});

it('replaces the rest when the texts have nothing in common', () => {
  const lines = (word: string): string => Array.from({ length: 1_000 }, (_, index) => `${word}${index}\n`).join('');
  expect(applied(lines('a'), lines('b'))).toBe(lines('b'));
});
