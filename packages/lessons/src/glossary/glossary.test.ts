/** Tests that the lessons' links lead to terms of the glossary, and that no term is without a link. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { glossary, isGlossaryTerm, termOfLink } from './index.ts';

const directory = join(import.meta.dirname, '../../lessons');

/** Returns the ids to which the lessons of a language link, by file. */
const linksOf = (language: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    readdirSync(join(directory, language)).map((file) => {
      const text = readFileSync(join(directory, language, file), 'utf8');
      return [file, Array.from(text.matchAll(/\]\((glossary:[^)]*)\)/g), ([, link = '']) => termOfLink(link) ?? '')];
    }),
  );

describe.each(['en', 'zh-CN'] as const)('the glossary in %s', (language) => {
  const links = linksOf(language);

  it('has every term to which a lesson links', () => {
    expect(
      [...links].flatMap(([file, ids]) => ids.filter((id) => !isGlossaryTerm(id)).map((id) => [file, id])),
    ).toEqual([]);
  });

  it('has no term to which no lesson links', () => {
    const linked = new Set([...links.values()].flat());
    expect(glossary(language).filter(({ id }) => !linked.has(id))).toEqual([]);
  });

  it('is linked once per step at most for each term', () => {
    for (const file of links.keys()) {
      const steps = readFileSync(join(directory, language, file), 'utf8').split(/^## /m);
      for (const step of steps) {
        const ids = Array.from(step.matchAll(/\]\((glossary:[^)]*)\)/g), ([, link]) => link);
        expect(ids).toEqual([...new Set(ids)]);
      }
    }
  });

  it('explains each term in one to three sentences that don’t begin with another language', () => {
    for (const { name, text } of glossary(language)) {
      expect(name.length).toBeLessThan(30);
      expect(text).toMatch(language === 'en' ? /\.$/ : /[\u4e00-\u9fff].*。$/);
      expect(text.length).toBeLessThan(220);
    }
  });
});

it('has the same links in both languages of a lesson', () => {
  const sorted = (language: string) => Array.from(linksOf(language), ([file, ids]) => [file, ids.toSorted()]);
  expect(sorted('zh-CN')).toEqual(sorted('en'));
});

it('returns undefined for a link elsewhere', () => {
  expect(termOfLink('https://kubernetes.io')).toBeUndefined();
});
