/** Parses hit conditions such as `5`, `>= 3` and `% 5`. */
import { DebuggerError } from '../errors.ts';

const pattern = /^\s*(>=|>|==|=|<=|<|%)?\s*(\d+)\s*$/;

/**
 * Returns a function that returns true if the hit with a given number, counted from 1, meets the condition.
 * @throws DebuggerError Invalid
 */
export function parseHitCondition(text: string): (hits: number) => boolean {
  const match = pattern.exec(text);
  const wanted = Number(match?.[2]);
  if (!match || !Number.isSafeInteger(wanted))
    throw new DebuggerError('Invalid', `the hit condition ${JSON.stringify(text)} is not like 5, >= 3 or % 5`);
  switch (match[1] ?? '==') {
    case '>=':
      return (hits) => hits >= wanted;
    case '>':
      return (hits) => hits > wanted;
    case '<=':
      return (hits) => hits <= wanted;
    case '<':
      return (hits) => hits < wanted;
    case '%':
      if (wanted === 0) throw new DebuggerError('Invalid', 'the hit condition % 0 is never met');
      return (hits) => hits % wanted === 0;
    default:
      return (hits) => hits === wanted;
  }
}
