import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { traceEventSchema } from '../events/event-schema.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { exactCheck } from './exact-check.ts';

const isExact = exactCheck(traceEventSchema);

/** Returns the value after formatting it as JSON and parsing the result. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('exactCheck', () => {
  it('accepts every event that the schema returns unchanged', () => {
    fc.assert(
      fc.property(randomRun(), (events) => {
        for (const event of events) expect(isExact(plain(event))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('rejects every value that the schema rejects or changes', () => {
    // Generates events in which one member was replaced, added or removed.
    const names = fc.constantFrom(
      'seq',
      'time',
      'thread',
      'pod',
      'span',
      'parent',
      'type',
      'outcome',
      'attributes',
      'facts',
      'kind',
      'extra',
      '__proto__',
    );
    const changed = fc.tuple(randomRun(), fc.nat(), names, fc.option(fc.jsonValue(), { nil: undefined }));
    fc.assert(
      fc.property(changed, ([events, at, name, value]) => {
        const event = plain(events[at % Math.max(1, events.length)] ?? {}) as Record<string, unknown>;
        if (value === undefined) delete event[name];
        else Object.defineProperty(event, name, { value, enumerable: true, configurable: true });
        if (!isExact(event)) return;
        const { data, error } = traceEventSchema.safeParse(event);
        expect(error).toBeUndefined();
        expect(data).toEqual(event);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [z.string().min(2), 'ab'],
    [z.string().transform((text) => text.length), 'ab'],
    [z.number().max(3), 1],
    [z.int32(), 1],
    [z.looseObject({ a: z.string() }), { a: 'x' }],
    [z.union([z.string(), z.number()]), 1],
    [z.record(z.string(), z.number()), { a: 1 }],
    [z.array(z.string()).min(1), ['a']],
  ])('rejects values of unsupported schemas: %#', (schema, value) => {
    expect(exactCheck(schema)(value)).toBe(false);
  });

  it('checks the bounds of numbers', () => {
    const whole = exactCheck(z.int().nonnegative());
    expect([0, 1, -1, 1.5, Number.NaN, '1'].map((value) => whole(value))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(exactCheck(z.int().positive())(0)).toBe(false);
    expect(exactCheck(z.number())(Number.POSITIVE_INFINITY)).toBe(false);
  });
});
