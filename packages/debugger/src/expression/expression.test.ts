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
    ['error.matches("(?=a)b")', 'is not a pattern in RE2 syntax'],
    [String.raw`error.matches("(a)\\1")`, 'is not a pattern in RE2 syntax'],
    ['error.matches("(?:(?:a{50}){50}){50}")', 'is not a pattern in RE2 syntax'],
    [`error.matches("${'a'.repeat(201)}")`, '200 characters'],
    [`[error].map(a, ${Array(12).fill('a').join('+')})`, 'at most 10 additions'],
  ])('rejects %.40s', (text, reason) => {
    expect(() => new Expression(text)).toThrow(DebuggerError);
    expect(() => new Expression(text)).toThrow(reason);
  });

  it.each([
    ['atempt > 1', 'no variable is named atempt; did you mean attempt?'],
    ['pod.spec.containers.exists(c, d.name == container)', 'no variable is named d'],
    ['cel.bind(x, imagge, x == "busybox")', 'did you mean image?'],
  ])('rejects the unknown variable of %s where it stays set', (text, reason) => {
    expect(() => Expression.checked(text)).toThrow(reason);
    expect(new Expression(text).text).toBe(text);
  });

  it.each([
    'attempt > 1 && error.contains("not found")',
    'pod.spec.containers.exists(c, c.name == container)',
    'has(pod.metadata.labels) && int(attempt) == 2',
    'args.type == "readiness"',
    'podActions.containersToStart.map(i, i + 1) == [1, 2]',
    'cel.bind(x, image, x == "busybox")',
  ])('accepts the variables of %s', (text) => expect(Expression.checked(text).text).toBe(text));

  it('stops an expression that reads too many values', () => {
    const expression = new Expression('items.all(a, items.all(b, pod.metadata.name == "web"))');
    expect(() => expression.evaluate(scope)).toThrow('reads more than 50000 values');
  });

  it.each([
    ['error.matches("^image .* found$")', true],
    ['error.matches("not (there|present)")', false],
    ['error.matches(error)', true],
    [String.raw`error.matches("\\bnot\\b")`, true],
    ['error.matches("(?i)IMAGE")', true],
  ])('evaluates the pattern in %s', (text, value) => expect(new Expression(text).evaluate(scope)).toBe(value));

  it.each(['(a|b*)*c', '(x+)+y', '(a|a)*b', '((a+)b?)+c', '(?:a?){30}b', 'a*b*c*d*e*f'])(
    'searches a long text for %s in linear time',
    (pattern) => {
      const text = (): string => 'a'.repeat(20_000);
      expect(new Expression(`text.matches(${JSON.stringify(pattern)})`).test({ text })).toBe(false);
    },
  );

  it('stops searches that add up to too much work', () => {
    const texts = (): string[] => Array.from({ length: 300 }, () => 'a'.repeat(5_000));
    const expression = new Expression('texts.all(text, !text.matches("(?:a{10}){20}b"))');
    expect(() => expression.evaluate({ texts })).toThrow('is too long for its pattern here');
  });

  it('counts the length of the texts it reads', () => {
    const expression = new Expression('items.all(i, text != "")');
    expect(() => expression.evaluate({ ...scope, text: () => 'a'.repeat(100_000) })).toThrow('reads more than');
  });

  it('fails with the reason for an unknown variable and for a value that is not a boolean', () => {
    expect(() => new Expression('nothing == 1').test(scope)).toThrow('nothing == 1: Unknown variable: nothing');
    expect(() => new Expression('attempt').test(scope)).toThrow('must be true or false');
  });

  it('leaves the values it reads unchanged', () => {
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

  it('prints the reason in place of an expression without a value', () => {
    expect(render('{nothing}')).toBe('«nothing: Unknown variable: nothing»');
  });

  it.each(['{attempt', 'attempt}', '{attempt >}'])('rejects %s', (text) =>
    expect(() => new LogMessage(text)).toThrow(DebuggerError),
  );
});
