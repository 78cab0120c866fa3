import { describe, expect, it } from 'vitest';
import { aggregateText, asError, errorMessage, errorText } from './errors.ts';

class StatusError extends Error {
  override readonly name = 'StatusError';

  get goText(): string {
    return `rpc error: code = NotFound desc = ${this.message}`;
  }
}

describe('errorMessage', () => {
  const refused = [new Error('connect ECONNREFUSED ::1:80'), new Error('connect ECONNREFUSED 127.0.0.1:80')];

  it.each<[string, unknown, string]>([
    ['an error', new Error('no such host'), 'no such host'],
    ['a string', 'no such host', 'no such host'],
    ['a number', 42, '42'],
    ['undefined', undefined, 'undefined'],
    ['an error of another realm', { name: 'Error', message: 'no such host' }, 'no such host'],
    ['a plain object', { code: 7 }, '{"code":7}'],
    ['a gRPC status', new StatusError('no such container'), 'no such container'],
    ['a gRPC status without description', new StatusError(''), ''],
    ['an aggregate with a message', new AggregateError(refused, 'two addresses failed'), 'two addresses failed'],
    [
      'an aggregate without a message',
      new AggregateError(refused),
      '[connect ECONNREFUSED ::1:80, connect ECONNREFUSED 127.0.0.1:80]',
    ],
    ['an aggregate of equal errors', new AggregateError([new Error('x'), new Error('x')]), 'x'],
    ['a failed fetch', new TypeError('fetch failed', { cause: refused[0] }), 'connect ECONNREFUSED ::1:80'],
    ['a failed fetch without a cause', new TypeError('fetch failed'), 'fetch failed'],
    ['an error with a message and a cause', new Error('cannot pull', { cause: refused[0] }), 'cannot pull'],
    ['an error without a message, with a cause', new Error('', { cause: refused[0] }), 'connect ECONNREFUSED ::1:80'],
    ['an error without message and cause', new RangeError(), 'RangeError'],
  ])('returns the message of %s', (_, error, expected) => expect(errorMessage(error)).toBe(expected));
});

describe('errorText', () => {
  it('starts with the code for a gRPC status', () => {
    expect(errorText(new StatusError('no such container'))).toBe('rpc error: code = NotFound desc = no such container');
  });

  it('is the message for any other error', () => {
    expect([errorText(new Error('boom')), errorText('boom')]).toEqual(['boom', 'boom']);
  });
});

describe('asError', () => {
  it('returns an error unchanged', () => {
    const error = new Error('boom');
    expect(asError(error)).toBe(error);
  });

  it('wraps a thrown string', () => expect(asError('boom')).toMatchObject({ message: 'boom', cause: 'boom' }));
});

describe('aggregateText', () => {
  it.each<[string[], string]>([
    [['a'], 'a'],
    [['a', 'a'], 'a'],
    [['a', 'b', 'a'], '[a, b]'],
    [[], '[]'],
  ])('joins %j as %s', (messages, expected) => expect(aggregateText(messages)).toBe(expected));
});
