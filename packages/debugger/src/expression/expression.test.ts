import { describe, expect, it } from 'vitest';
import { DebuggerError } from '../errors.ts';
import { Expression, type Scope } from './expression.ts';
import { LogMessage } from './log-message.ts';

const scope: Scope = {
  attempt: () => 2,
  error: () => 'image not found',
  pod: () => ({ metadata: { name: 'web', labels: new Map([['app', 'web']]) }, absent: undefined }),
  items: () => Array.from({ length: 300 }, (_, index) => index),
  failure: () => new Error('boom'),
  printed: () => new TextEncoder().encode('text'),
  big: () => 12n,
};

describe('Expression', () => {
  it.each([
    ['attempt > 1 && error.contains("not found")', true],
    ['attempt + 1 == 3', true],
    ['attempt % 2 == 0', true],
    ['pod.metadata.name', 'web'],
    ['pod.metadata.labels.app', 'web'],
    ['has(pod.absent)', false],
    ['has(pod.toString)', false],
    ['failure.message', 'boom'],
    ['printed', 'text'],
    ['big == 12', true],
    ['items.exists(i, i == 250)', true],
  ])('%s', (text, value) => expect(new Expression(text).evaluate(scope)).toEqual(value));

  it.each([
    ['attempt >', 'is not CEL'],
    ['x'.repeat(1_001), '1000 characters'],
    [Array(120).fill('true').join('&&'), 'is not CEL'],
    ['items.all(a, items.all(b, items.all(c, true)))', 'at most 2 macros'],
    ['error.matches(error)', 'needs its pattern as a literal'],
    ['error.matches("(a|b*)*c")', 'too costly'],
    ['matches(error, "(x+)+y")', 'too costly'],
    ['error.matches("(a|a)*b")', 'no repetition of what repeats or has alternatives'],
    ['error.matches("((a+)b?)+c")', 'no repetition of what repeats'],
    ['error.matches("(?:a?){30}b")', 'no repetition of what repeats'],
    ['error.matches("a*b*c*d*e*")', 'three things'],
    ['error.matches("(?=a)b")', 'no look around'],
    ['error.matches("(?:(?:a{50}){50}){50}")', 'more than 1000'],
    [`[error].map(a, ${Array(12).fill('a').join('+')})`, 'at most 10 additions'],
  ])('refuses %.40s', (text, reason) => {
    expect(() => new Expression(text)).toThrow(DebuggerError);
    expect(() => new Expression(text)).toThrow(reason);
  });

  it('ends what looks at too much', () => {
    const expression = new Expression('items.all(a, items.all(b, pod.metadata.name == "web"))');
    expect(() => expression.evaluate(scope)).toThrow('looks at more than 50000 values');
  });

  it('lets no pattern look through a text that would keep it busy', () => {
    const long = (length: number): Scope => ({ text: () => 'a'.repeat(length) });
    const once = new Expression('text.matches("a*b*c")');
    expect(once.test(long(900))).toBe(false);
    expect(() => once.evaluate(long(2_000))).toThrow('a text of 2000 characters is too long for the pattern, which may look at 999');
    expect(() => new Expression('(text + text).matches("a*b*c")').evaluate(long(900))).toThrow('too long');
    expect(new Expression('text.matches("^a+$")').test(long(50_000))).toBe(true);
  });

  it('counts what it reads of long texts', () => {
    const expression = new Expression('items.all(i, text != "")');
    expect(() => expression.evaluate({ ...scope, text: () => 'a'.repeat(100_000) })).toThrow('looks at more than');
  });

  it('says what a condition lacks', () => {
    expect(() => new Expression('nothing == 1').test(scope)).toThrow('nothing == 1: Unknown variable: nothing');
    expect(() => new Expression('attempt').test(scope)).toThrow('true or false');
  });

  it('changes nothing it sees', () => {
    const seen = { list: [1] };
    new Expression('data.list.map(x, x + 1)').evaluate({ data: () => seen });
    expect(seen).toEqual({ list: [1] });
  });
});

describe('LogMessage', () => {
  const render = (text: string): string => new LogMessage(text).render(scope, (value) => String(value));

  it.each([
    ['no expression', 'no expression'],
    ['attempt {attempt} of {pod.metadata.name}', 'attempt 2 of web'],
    ['{{braces}} and {"}"}', '{braces} and }'],
    ['{ {"a": 1}["a"] }', '1'],
  ])('%s', (text, rendered) => expect(render(text)).toBe(rendered));

  it('tells in its place what has no value', () => {
    expect(render('{nothing}')).toBe('«nothing: Unknown variable: nothing»');
  });

  it.each(['{attempt', 'attempt}', '{attempt >}'])('refuses %s', (text) => expect(() => new LogMessage(text)).toThrow(DebuggerError));
});
