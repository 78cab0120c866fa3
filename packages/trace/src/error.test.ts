import { describe, expect, it } from 'vitest';
import { describeError } from './error.ts';

const withReason = (reason: string, message: string): Error => Object.assign(new Error(message), { reason });

describe('describeError', () => {
  it.each<[string, unknown, { reason: string; message: string }]>([
    ['a plain error', new Error('boom'), { reason: 'Error', message: 'boom' }],
    ['a CRI error', Object.assign(new Error('gone'), { code: 'NotFound' }), { reason: 'NotFound', message: 'gone' }],
    ['a thrown text', 'boom', { reason: 'Error', message: 'boom' }],
    [
      'an aggregate of one failed start',
      new AggregateError([withReason('CrashLoopBackOff', 'back-off 10s')], 'back-off 10s'),
      { reason: 'CrashLoopBackOff', message: 'back-off 10s' },
    ],
    [
      'an aggregate of different failures',
      new AggregateError([withReason('ErrImagePull', 'a'), withReason('CrashLoopBackOff', 'b')], '[a, b]'),
      { reason: 'ErrImagePull, CrashLoopBackOff', message: '[a, b]' },
    ],
    ['an empty aggregate', new AggregateError([], 'none'), { reason: 'AggregateError', message: 'none' }],
  ])('returns reason and message of %s', (_, error, expected) => expect(describeError(error)).toEqual(expected));
});
