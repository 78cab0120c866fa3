import { describe, expect, it } from 'vitest';
import { fieldOfFact } from './fact-fields.ts';
import { outcomeText } from './rules.ts';

describe('outcomeText', () => {
  it.each([
    ['start', { name: 'startIt', values: {} }],
    [
      'kill it: Container app failed liveness probe',
      { name: 'killBecause', values: { rest: 'Container app failed liveness probe' } },
    ],
    ['in 1.5 s', { name: 'after', values: { rest: '1.5 s' } }],
    ['Running', undefined],
    [true, undefined],
  ])('maps %j to its text', (outcome, text) => {
    expect(outcomeText(outcome)).toEqual(text);
  });
});

describe('fieldOfFact', () => {
  const object = {
    spec: { restartPolicy: 'Always', containers: [{ name: 'side' }, { name: 'app', image: 'busybox' }] },
  };
  const status = { containerStatuses: [{ name: 'app', restartCount: 2, lastState: { terminated: { exitCode: 3 } } }] };

  it.each([
    [{ container: 'app', image: 'busybox' }, 'image', 'spec.containers[1].image'],
    [{ container: 'app', exitCode: 3 }, 'exitCode', 'status.containerStatuses[0].lastState.terminated.exitCode'],
    [{ container: 'app', restartCount: 2 }, 'restartCount', 'status.containerStatuses[0].restartCount'],
    [{ restartPolicy: 'Always' }, 'restartPolicy', 'spec.restartPolicy'],
    [{ container: 'side', image: 'x' }, 'image', undefined],
    [{ networkWanted: 'POD' }, 'networkWanted', undefined],
    [{ now: 1 }, 'now', undefined],
  ])('finds the field for %j, %s', (facts, name, path) => {
    expect(fieldOfFact(object, status, facts, name)).toBe(path);
  });
});
