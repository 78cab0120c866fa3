import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunFold } from '../run-fold.ts';
import { crashLoopPod, EventScript } from '../testing/index.ts';
import { pullFraction } from './pull-progress.ts';

const layer = (status: string, current?: number, total?: number) => ({ id: status, status, current, total });

describe('pullFraction', () => {
  it.each([
    ['there are no layers', [], undefined],
    ['layers wait', [layer('Pulling fs layer'), layer('Waiting')], 0],
    ['all layers already existed', [layer('Already exists'), layer('Already exists')], 1],
    ['half of a layer is downloaded', [layer('Downloading', 50, 100)], 0.375],
    ['a layer is half extracted', [layer('Extracting', 50, 100)], 0.875],
    ['a large layer is complete', [layer('Pull complete', 900, 900), layer('Waiting', 0, 100)], 0.9],
    ['a layer has no known size', [layer('Pull complete', 100, 100), layer('Waiting')], 0.5],
  ])('returns the progress when %s', (_, layers, expected) => expect(pullFraction(layers)).toEqual(expected));

  it('stays between 0 and 1', () => {
    const status = fc.constantFrom(
      'Downloading',
      'Extracting',
      'Pull complete',
      'Download complete',
      'Waiting',
      'Verifying Checksum',
      'something new',
    );
    const amount = fc.option(fc.nat({ max: 1e9 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.string(), status, current: amount, total: amount }), { minLength: 1 }),
        (layers) => {
          expect(pullFraction(layers)).toBeGreaterThanOrEqual(0);
          expect(pullFraction(layers)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('pull progress in a run', () => {
  it('never decreases, and matches the pull by image if its span is unknown', () => {
    const log = new EventScript(crashLoopPod.metadata.uid);
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.open('cri.PullImage', { attributes: { request: { image: { image: 'shop/web:2.4.1' } } } });
    const fold = new RunFold();
    const seen: (number | undefined)[] = [];
    for (const layers of [
      [layer('Downloading', 90, 100)],
      [layer('Downloading', 90, 100), layer('Downloading', 0, 900)],
      [layer('Pull complete', 1, 1)],
    ]) {
      log.wait(10).emit({ type: 'pullProgress', image: 'shop/web:2.4.1', layers, span: 999 });
      fold.applyAll(log.events);
      seen.push(fold.pods()[0]?.containers[2]?.activities[0]?.progress);
    }
    expect(seen).toEqual([0.675, 0.675, 1]);
  });
});
