import { describe, expect, it } from 'vitest';
import { figuresOf } from '../report.ts';
import { recordedSession, sessions } from '../testing/recordings.ts';
import type { Recording } from './recording.ts';
import { replay } from './replay.ts';

/** Returns the part of a session that a relay sees if it starts late. */
function from(recording: Recording, seconds: number): Recording {
  const start = recording.startedAt + seconds * 1000;
  return {
    ...recording,
    calls: recording.calls.filter(({ t }) => t >= start),
    pods: recording.pods.filter(({ t }) => t >= start),
    spans: recording.spans.filter(({ t }) => t >= start),
  };
}

describe.each([
  ['with spans', 'spans'],
  ['with trace ids alone', 'traceIds'],
  ['without tracing', 'none'],
] as const)('an observation that starts after the pods, %s', (_name, tracing) => {
  it.each(sessions)('reports unknown state of session %s instead of a difference', async (session) => {
    const { syncs } = await replay(from(recordedSession(session), 35), { tracing });
    const { agrees, differs } = figuresOf(syncs);
    const undecided = syncs.filter(({ judged }) => judged.counts && judged.verdict === 'unknown');
    expect(differs).toBe(0);
    expect(agrees).toBeGreaterThan(2);
    for (const { judged } of undecided)
      expect(['podSpec', 'podStatus', 'stateBefore', 'probeResult']).toContain(judged.missing?.input);
  });
});

describe('a recording with calls of unknown methods', () => {
  it('keeps a call of an unknown method with its size and the reason', async () => {
    const recording = recordedSession('d');
    const strange = { service: 'runtime.v2.RuntimeService', method: 'Levitate', metadata: {}, deadline: undefined };
    const undecoded = { bytes: 12, reason: 'the method Levitate is unknown' };
    const result = { end: recording.startedAt + 8_001, response: undefined, status: 12, message: 'unknown' };
    const call = { ...strange, number: 99_999, t: recording.startedAt + 8_000, request: undefined, undecoded, result };
    const { events, syncs } = await replay({ ...recording, calls: [...recording.calls, call] });
    const started = events.find((event) => event.type === 'spanStarted' && event.point === 'cri.Levitate');
    expect(started).toMatchObject({ attributes: { undecoded } });
    expect(figuresOf(syncs)).toMatchObject({ agrees: 10, differs: 0 });
  });
});
