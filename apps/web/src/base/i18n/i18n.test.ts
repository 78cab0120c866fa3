/** Tests that every language has the same texts, with the same placeholders in each. */
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import type { Message } from './define-messages.ts';
import { catalogue } from './zh-CN.ts';

const modules = import.meta.glob<Record<string, Record<string, Message>>>('../../**/messages.en.ts', { eager: true });
const english = Object.values(modules).flatMap((module) =>
  Object.values(module).flatMap((messages) => Object.values(messages)),
);

/**
 * Returns the names of a text's placeholders. A compiled text is a list of strings and of `[name, format, options]`;
 * each option is a compiled text again.
 */
function valuesOf(text: string): string[] {
  const names = new Set<string>();
  const visitText = (compiled: unknown): void => {
    if (Array.isArray(compiled))
      for (const part of compiled as unknown[]) if (Array.isArray(part)) visitValue(part as unknown[]);
  };
  const visitValue = ([name, , options]: readonly unknown[]): void => {
    if (typeof name === 'string') names.add(name);
    if (typeof options === 'object' && options !== null) for (const option of Object.values(options)) visitText(option);
  };
  visitText(compileMessage(text));
  return [...names].toSorted();
}

describe('the message catalogues', () => {
  it('have unique ids', () => {
    const ids = english.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are complete in Chinese, with the same placeholders', () => {
    const differing = english.filter(({ id, message }) => {
      const translated = catalogue[id];
      return translated === undefined || valuesOf(translated).join() !== valuesOf(message).join();
    });
    expect(differing.map(({ id }) => id)).toEqual([]);
  });
});
