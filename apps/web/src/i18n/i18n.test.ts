/** Every text in every language: the same names, the same values in it. */
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import type { Message } from './i18n.ts';
import { catalogue } from './zh-CN.ts';

const modules = import.meta.glob<Record<string, Record<string, Message>>>('../**/messages.en.ts', { eager: true });
const english = Object.values(modules).flatMap((module) => Object.values(module).flatMap((messages) => Object.values(messages)));

/** The names of the values a text takes. */
function valuesOf(text: string): string[] {
  const names = new Set<string>();
  const visit = (token: unknown): void => {
    if (!Array.isArray(token)) {
      if (typeof token === 'object' && token !== null) for (const inner of Object.values(token)) visit(inner);
      return;
    }
    const [name, ...rest] = token as unknown[];
    if (typeof name === 'string') names.add(name);
    for (const inner of rest) if (typeof inner !== 'string') visit(inner);
  };
  const compiled: unknown = compileMessage(text);
  if (Array.isArray(compiled)) for (const token of compiled as unknown[]) if (Array.isArray(token)) visit(token);
  return [...names].sort();
}

describe('the texts of the interface', () => {
  it('have names of their own', () => {
    const ids = english.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are all there in Chinese, with the same values', () => {
    const differing = english.filter(({ id, message }) => {
      const translated = catalogue[id];
      return translated === undefined || valuesOf(translated).join() !== valuesOf(message).join();
    });
    expect(differing.map(({ id }) => id)).toEqual([]);
  });
});
