import { describe, expect, it } from 'vitest';
import { type LifeStage, missedEvents } from './missed-events.ts';

const snapshot = (stage: LifeStage | undefined) => new Map(stage ? [['id', { stage, sandboxId: 'sandbox' }]] : []);

describe('missed events', () => {
  it.each<[LifeStage | undefined, LifeStage | undefined, string]>([
    [undefined, 'created', 'CREATED'],
    [undefined, 'running', 'CREATED STARTED'],
    [undefined, 'exited', 'CREATED STARTED STOPPED'],
    ['created', 'running', 'STARTED'],
    ['created', 'exited', 'STARTED STOPPED'],
    ['running', 'exited', 'STOPPED'],
    ['running', 'running', ''],
    ['exited', 'running', 'STARTED'],
    ['running', undefined, 'DELETED'],
    [undefined, undefined, ''],
  ])('from %s to %s: %s', (before, after, expected) => {
    const events = missedEvents(snapshot(before), snapshot(after));
    expect(events.map(({ type }) => type.replace(/^CONTAINER_|_EVENT$/g, '')).join(' ')).toBe(expected);
    for (const event of events) expect(event).toMatchObject({ id: 'id', sandboxId: 'sandbox' });
  });
});
