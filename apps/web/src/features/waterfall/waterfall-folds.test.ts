import type { SpanRecord } from '@podscope/trace';
import { RunFold } from '@podscope/trace';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { criticalPath, pathShares } from './critical-path.ts';
import { flameChart, visibleBars } from './flame-layout.ts';

function spansOf(log: EventScript) {
  const run = new RunFold();
  run.applyAll(log.events);
  const root = run.span(1);
  if (!root) throw new Error('the log has no span');
  return {
    root,
    spanOf: (id: number | undefined): SpanRecord | undefined => (id === undefined ? undefined : run.span(id)),
  };
}

/**
 * Returns a span of 100 ms that contains `a` (40 ms, with `b` of 30 ms inside) and `c` (30 ms). The span's own time is
 * 10 ms before `a` and 20 ms before `c`.
 */
function nested(): EventScript {
  const log = new EventScript('pod');
  log.open('root');
  log.wait(10).open('a');
  log.wait(5).open('b');
  log.wait(30).close().wait(5).close().wait(20).open('c');
  log.wait(30).close().close();
  return log;
}

/** Returns a span with two children that run at the same time: `slow` from 0 to 100 ms, `fast` from 10 to 30 ms. */
function parallel(): EventScript {
  const log = new EventScript('pod');
  log.open('root');
  const at = log.startedAt;
  const span = (id: number, point: string, start: number, end: number): void => {
    const base = { thread: 'pod', pod: 'pod', span: id };
    log.events.push(
      {
        ...base,
        type: 'spanStarted',
        seq: log.events.length + 1,
        time: at + start,
        parent: 1,
        point,
        kind: 'cri',
        title: point,
        attributes: {},
      },
      { ...base, type: 'spanEnded', seq: log.events.length + 2, time: at + end, outcome: 'ok' },
    );
  };
  span(2, 'slow', 0, 100);
  span(3, 'fast', 10, 30);
  log.events.push({
    thread: 'pod',
    pod: 'pod',
    type: 'spanEnded',
    span: 1,
    seq: log.events.length + 1,
    time: at + 100,
    outcome: 'ok',
  });
  return log;
}

describe('criticalPath', () => {
  const said = (log: EventScript): readonly string[] => {
    const { root, spanOf } = spansOf(log);
    return criticalPath(root, spanOf, 0).map(
      ({ span, from, to }) => `${span.point} ${from - root.start}–${to - root.start}`,
    );
  };

  it('is each span’s own time, in order, without gaps', () => {
    expect(said(nested())).toEqual(['root 0–10', 'a 10–15', 'b 15–45', 'a 45–50', 'root 50–70', 'c 70–100']);
  });

  it('omits a call that ran in parallel with a longer one', () => {
    expect(said(parallel())).toEqual(['slow 0–100']);
  });

  it('ends now for an open span', () => {
    const log = new EventScript('pod');
    log.open('root');
    log.wait(10).open('a');
    const { root, spanOf } = spansOf(log);
    expect(criticalPath(root, spanOf, log.startedAt + 25).map(({ span, to, from }) => [span.point, to - from])).toEqual(
      [
        ['root', 10],
        ['a', 15],
      ],
    );
  });

  it('is empty for a sync that took no measurable time', () => {
    const log = new EventScript('pod');
    log.open('root');
    log.close();
    const { root, spanOf } = spansOf(log);
    expect(criticalPath(root, spanOf, 0)).toEqual([]);
  });

  it('returns the share of each span, the longest first', () => {
    const { root, spanOf } = spansOf(nested());
    const shares = pathShares(criticalPath(root, spanOf, 0));
    expect(shares.map(({ span, milliseconds, share }) => [span.point, milliseconds, share])).toEqual([
      ['root', 30, 0.3],
      ['b', 30, 0.3],
      ['c', 30, 0.3],
      ['a', 10, 0.1],
    ]);
  });
});

describe('flameChart', () => {
  it('places calls below their caller, and calls at the same time below each other', () => {
    const place = (log: EventScript) => {
      const { root, spanOf } = spansOf(log);
      return flameChart(root, spanOf, 0).bars.map(({ span, row, level, parent }) => [span.point, row, level, parent]);
    };
    expect(place(nested())).toEqual([
      ['root', 0, 1, -1],
      ['a', 1, 2, 0],
      ['b', 2, 3, 1],
      ['c', 1, 2, 0],
    ]);
    expect(place(parallel())).toEqual([
      ['root', 0, 1, -1],
      ['slow', 1, 2, 0],
      ['fast', 2, 2, 0],
    ]);
  });

  it('draws 5,000 calls with a number of elements that depends on the width', () => {
    const log = new EventScript('pod');
    log.open('root');
    for (let count = 0; count < 5_000; count++) log.call('ContainerStatus', 1, {});
    log.close();
    const { root, spanOf } = spansOf(log);
    const chart = flameChart(root, spanOf, 0);
    const drawn = visibleBars(chart, 800 / 5_000, 0, 800);
    expect(drawn.length).toBeLessThan(300);
    expect(drawn.flatMap(({ bars }) => bars).toSorted((a, b) => a - b)).toEqual(chart.bars.map((_, index) => index));
    expect(visibleBars(chart, 20, 1_000, 1_800).length).toBeLessThan(60);
  });
});
