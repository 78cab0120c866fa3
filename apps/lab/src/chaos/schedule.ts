/** Generates the schedule of a chaos run from a seed: pods and faults, as data that can be printed. */

import { createRandom, type Random } from '@podscope/base';
import type { FaultSpec } from '@podscope/protocol';
import { type ShapeName, shapeNames } from './shapes.ts';

/** An act performed on the node. Times are milliseconds of virtual time. */
export type Act =
  | { readonly kind: 'create'; readonly pod: string; readonly shape: ShapeName }
  | { readonly kind: 'edit'; readonly pod: string; readonly change: 'image' | 'labels' | 'resources' | 'debug' }
  | { readonly kind: 'delete'; readonly pod: string; readonly gracePeriodSeconds: number | undefined }
  | {
      readonly kind: 'error' | 'lost answer' | 'delay' | 'hang' | 'pleg drop' | 'pleg duplicate';
      readonly fault: FaultSpec;
      readonly lasts: number;
    }
  | { readonly kind: 'runtime away'; readonly lasts: number }
  | { readonly kind: 'kill container'; readonly code: number; readonly which: number }
  | { readonly kind: 'kill sandbox'; readonly which: number }
  | { readonly kind: 'no network'; readonly lasts: number }
  | { readonly kind: 'image gone'; readonly lasts: number }
  | { readonly kind: 'clock jump'; readonly by: number }
  | { readonly kind: 'machine reboot'; readonly containersGone: boolean }
  | { readonly kind: 'server restart' };

export type ActKind = Act['kind'];

export interface TimedAct {
  readonly at: number;
  readonly act: Act;
}

export interface Schedule {
  readonly seed: number;
  readonly acts: readonly TimedAct[];
  /** Time at which the last fault has ended. */
  readonly calmAt: number;
}

const second = 1_000;
const minute = 60 * second;

const methods = [
  'RunPodSandbox',
  'StopPodSandbox',
  'RemovePodSandbox',
  'PodSandboxStatus',
  'ListPodSandbox',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  'RemoveContainer',
  'ListContainers',
  'ContainerStatus',
  'PullImage',
  'ImageStatus',
] as const;

const codes = [
  'Unknown',
  'Internal',
  'Unavailable',
  'DeadlineExceeded',
  'ResourceExhausted',
  'NotFound',
  'AlreadyExists',
  'FailedPrecondition',
] as const;

/** Draws values from a random stream. */
export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a whole number from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number {
    return Math.floor(this.#random.between(low, high + 1));
  }

  one<T>(from: readonly T[]): T {
    const found = from[this.whole(0, from.length - 1)];
    if (found === undefined) throw new RangeError('nothing to choose from');
    return found;
  }

  chance(of: number): boolean {
    return this.#random.next() < of;
  }
}

/** Generators of faults with their weights. */
const troubles: readonly (readonly [weight: number, make: (dice: Dice) => Act])[] = [
  [
    5,
    (dice) => {
      const method = dice.one(methods);
      const at = `cri.${method}`;
      const code = dice.one(codes);
      // StopContainer and StopPodSandbox don't fail with NotFound here: the kubelet would assume that the target is
      // stopped, and start a second one while the target still runs. No runtime reports NotFound for a running target.
      const fail = {
        grpc: code === 'NotFound' && method.startsWith('Stop') ? 'Unknown' : code,
        message: 'chaos',
      } as const;
      return { kind: 'error', fault: { at, fail, times: dice.whole(1, 4), skip: dice.whole(0, 3) }, lasts: minute };
    },
  ],
  [
    3,
    (dice) => {
      const at = `cri.${dice.one(methods)}`;
      return {
        kind: 'lost answer',
        fault: { at, when: 'after', fail: { grpc: 'DeadlineExceeded', message: 'chaos' }, times: dice.whole(1, 3) },
        lasts: minute,
      };
    },
  ],
  [
    3,
    (dice) => ({
      kind: 'delay',
      fault: { at: `cri.${dice.one(methods)}`, delay: dice.whole(100, 40_000), times: dice.whole(1, 5) },
      lasts: minute,
    }),
  ],
  [
    2,
    (dice) => ({
      kind: 'hang',
      fault: { at: `cri.${dice.one(methods)}`, hang: true, times: 1 },
      lasts: dice.whole(second, 90 * second),
    }),
  ],
  [
    3,
    (dice) => ({
      kind: 'pleg drop',
      fault: { at: 'kubelet.plegEvent', drop: true, times: dice.whole(1, 10) },
      lasts: 2 * minute,
    }),
  ],
  [
    2,
    (dice) => ({
      kind: 'pleg duplicate',
      fault: { at: 'kubelet.plegEvent', duplicate: dice.whole(1, 5), times: dice.whole(1, 10) },
      lasts: 2 * minute,
    }),
  ],
  [5, (dice) => ({ kind: 'kill container', code: dice.one([137, 137, 1, 143, 0]), which: dice.whole(0, 1_000) })],
  [3, (dice) => ({ kind: 'kill sandbox', which: dice.whole(0, 1_000) })],
  [2, (dice) => ({ kind: 'runtime away', lasts: dice.whole(second, 90 * second) })],
  [1, (dice) => ({ kind: 'no network', lasts: dice.whole(second, minute) })],
  [1, (dice) => ({ kind: 'image gone', lasts: dice.whole(second, minute) })],
  [
    1,
    (dice) => ({ kind: 'clock jump', by: dice.one([-30 * second, -2 * second, 5 * second, 45 * second, 10 * minute]) }),
  ],
  [1, (dice) => ({ kind: 'machine reboot', containersGone: dice.chance(0.3) })],
  [2, () => ({ kind: 'server restart' })],
];

const total = troubles.reduce((sum, [weight]) => sum + weight, 0);

function trouble(dice: Dice): Act {
  let left = dice.whole(1, total);
  for (const [weight, make] of troubles) {
    left -= weight;
    if (left <= 0) return make(dice);
  }
  throw new RangeError('the weights do not add up');
}

/** Returns the schedule of a seed. The result is the same as long as this file doesn't change. */
export function makeSchedule(seed: number): Schedule {
  const dice = new Dice(createRandom(seed).fork('chaos'));
  const length = dice.whole(1, 5) * minute;
  const acts: TimedAct[] = [];
  const pods = Array.from({ length: dice.whole(1, 6) }, (_, index) => ({
    pod: `p${index}`,
    shape: dice.one(shapeNames),
  }));
  for (const { pod, shape } of pods) {
    const at = dice.whole(0, length / 2);
    acts.push({ at, act: { kind: 'create', pod, shape } });
    if (dice.chance(0.3))
      acts.push({
        at: dice.whole(at, length),
        act: { kind: 'edit', pod, change: dice.one(['image', 'labels', 'resources', 'debug'] as const) },
      });
    if (dice.chance(0.3)) {
      const goes = dice.whole(at, length);
      acts.push({
        at: goes,
        act: { kind: 'delete', pod, gracePeriodSeconds: dice.chance(0.4) ? undefined : dice.one([0, 1, 30]) },
      });
      // Creates a pod of the same name while the first may still be terminating.
      if (dice.chance(0.5))
        acts.push({ at: dice.whole(goes, length), act: { kind: 'create', pod, shape: dice.one(shapeNames) } });
    }
  }
  for (let count = dice.whole(1, 12); count > 0; count--) acts.push({ at: dice.whole(0, length), act: trouble(dice) });
  return { seed, acts: acts.toSorted((a, b) => a.at - b.at), calmAt: length + 2 * minute };
}

/** Formats an act as one line. */
export function describeAct({ at, act }: TimedAct): string {
  const { kind, ...rest } = act;
  return `${(at / second).toFixed(1).padStart(7)} s  ${kind}  ${JSON.stringify(rest)}`;
}
