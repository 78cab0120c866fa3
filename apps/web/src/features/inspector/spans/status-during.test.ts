import { RunHistory } from '@podscope/trace';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { StatusDuring } from './status-during.ts';

const log = new EventScript('u1');
for (const phase of ['Pending', 'Running', 'Failed']) {
  log.emit({ type: 'podStatus', status: { phase } });
  for (let at = 0; at < 10; at++)
    log.emit({ type: 'kubernetesEvent', eventType: 'Normal', reason: 'Pulled', message: '', count: 1 });
}
const history = new RunHistory(log.events);

describe('StatusDuring', () => {
  it('returns the status before the span and the last one up to an event', () => {
    const statuses = new StatusDuring(history, 'u1', 5);
    expect(statuses.before).toEqual({ phase: 'Pending' });
    expect([6, 12, 33, 20, 5].map((seq) => statuses.upTo(seq))).toMatchObject([
      { phase: 'Pending' },
      { phase: 'Running' },
      { phase: 'Failed' },
      { phase: 'Running' },
      { phase: 'Pending' },
    ]);
  });

  it('reads each event once while the span continues', () => {
    let reads = 0;
    const at = (seq: number) => {
      reads++;
      return history.at(seq);
    };
    const statuses = new StatusDuring({ at, firstSeq: history.firstSeq }, 'u1', 13);
    const began = reads;
    for (let seq = 13; seq <= history.lastSeq; seq++) statuses.upTo(seq);
    expect(reads - began).toBe(history.lastSeq - 13);
  });

  it('has no status before the first one, and none of another pod', () => {
    expect(new StatusDuring(history, 'u2', 20).before).toBeUndefined();
    expect(new StatusDuring(history, 'u2', 20).upTo(33)).toBeUndefined();
  });
});
