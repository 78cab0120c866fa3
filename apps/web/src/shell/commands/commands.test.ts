import { timelineKeys } from '@podscope/timeline';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

describe('the table of commands', () => {
  it("has unique ids and keys, distinct from the timeline's keys", () => {
    const ids = commands.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const keys = [
      ...commands.flatMap(({ keys: chord }) => (chord === undefined ? [] : [chord])),
      ...timelineKeys.flatMap((entry) => entry.keys),
    ];
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});
