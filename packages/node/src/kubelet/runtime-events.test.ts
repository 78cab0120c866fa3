/** Tests the watch of the runtime's event stream: an event is reported at once, and a broken stream is opened again. */
import { type ContainerEventResponse, CriError, UnimplementedRuntimeService } from '@podscope/cri';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { watchContainerEvents } from './runtime-events.ts';

type Script = readonly (ContainerEventResponse | Error)[];

const event = (containerId: string): ContainerEventResponse => ({
  containerId,
  containerEventType: 'CONTAINER_STARTED_EVENT',
  createdAt: 0n,
  containersStatuses: [],
});

/**
 * Watches a runtime whose stream plays one script each time it is opened. After the last script, the stream is silent.
 */
function watch(...scripts: readonly Script[]) {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  const controller = new AbortController();
  const seen: string[] = [];
  const begin = clock.now();
  const at = (): number => (clock.now() - begin) / 1000;
  let opened = 0;
  class Runtime extends UnimplementedRuntimeService {
    override async *getContainerEvents() {
      seen.push(`${at()} open`);
      for (const next of scripts[opened++] ?? []) {
        if (next instanceof Error) throw next;
        yield next;
      }
      if (opened > scripts.length)
        await new Promise((_, reject) =>
          controller.signal.addEventListener('abort', () => reject(controller.signal.reason)),
        );
    }
  }
  const ctx = background(clock, new Tracer(log), 'events', controller.signal);
  const done = watchContainerEvents(ctx, new Runtime(), (given) =>
    seen.push(`${at()} ${given?.containerId ?? 'relist'}`),
  );
  return { clock, log, seen, done, end: () => controller.abort(new Error('end')) };
}

describe('watchContainerEvents', () => {
  it('forwards events in their order', async () => {
    const { clock, seen, done, end } = watch([event('a'), event('b'), event('a')], []);
    await clock.advance(499);
    expect(seen).toEqual(['0 open', '0 a', '0 b', '0 a']);
    end();
    await done;
  });

  it('opens a broken stream again after a growing wait and requests a relist', async () => {
    const broken = new Error('connection reset');
    const { clock, log, seen, done, end } = watch([broken], [broken], [event('a'), broken], [broken]);
    await clock.advance(10_000);
    expect(seen).toEqual([
      '0 open',
      '0.5 relist',
      '0.5 open',
      '1.5 relist',
      '1.5 open',
      // An event arrives, so after the next break the wait is 0.5 s again.
      '1.5 a',
      '2 relist',
      '2 open',
      '3 relist',
      '3 open',
    ]);
    const outputs = log.after(0).filter(({ type }) => type === 'output');
    expect(outputs).toHaveLength(4);
    expect(outputs[0]).toMatchObject({
      level: 'warning',
      message: "The runtime's event stream broke and is opened again: connection reset",
    });
    end();
    await done;
  });

  it('waits at most 30 s before it opens the stream again', async () => {
    const { clock, seen, done, end } = watch(...Array.from({ length: 12 }, () => [new Error('down')]));
    await clock.advance(200_000);
    const opens = seen.filter((line) => line.endsWith('open')).map((line) => Number(line.split(' ')[0]));
    expect(opens.slice(1).map((time, index) => time - (opens[index] ?? 0))).toEqual([
      0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30,
    ]);
    end();
    await done;
  });

  it('returns when the runtime doesn’t implement the event stream', async () => {
    const { seen, done } = watch([new CriError('Unimplemented', 'no events')]);
    await done;
    expect(seen).toEqual(['0 open']);
  });

  it('ends with the run, also while it waits to open the stream again', async () => {
    const { clock, done, end } = watch([new Error('down')]);
    await clock.settle();
    end();
    await expect(done).resolves.toBeUndefined();
  });
});
