import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../inputs.ts';
import type { ObservedSync } from './sync.ts';
import { UndecidedCalls } from './undecided-calls.ts';

const [trace, otherTrace] = ['a'.repeat(32), 'b'.repeat(32)];

const record = (number: number, more: Partial<CallRecord>): CallRecord => ({
  number,
  service: 'runtime.v1.ImageService',
  method: 'ImageStatus',
  metadata: {},
  t: number,
  deadline: undefined,
  request: {},
  result: undefined,
  ...more,
});
const traced = (number: number, method: string, id: string): CallRecord =>
  record(number, { method, metadata: { traceparent: `00-${id}-b7ad6b7169203331-01` } });
const imageStatus = (number: number, image: string): CallRecord => record(number, { request: { image: { image } } });
const create = (image: string): CallRecord =>
  record(9, { method: 'CreateContainer', request: { config: { image: { userSpecifiedImage: image } } } });
const syncOf = (id: string | undefined): ObservedSync => ({
  id: 1,
  pod: { uid: 'uid-1', namespace: 'default', name: 'web' },
  trace: id,
  start: 0,
  end: undefined,
  bounds: id === undefined ? 'calls' : 'traceparent',
  kind: undefined,
  calls: [],
  span: undefined,
  begun: 0,
});

describe('UndecidedCalls', () => {
  it('keeps ImageStatus and traced Version, and no other call', () => {
    const undecided = new UndecidedCalls();
    const calls = [
      imageStatus(1, 'busybox:1.36'),
      traced(2, 'Version', trace),
      record(3, { method: 'Version' }),
      traced(4, 'ListContainers', trace),
    ];
    expect(calls.map((call) => undecided.started(call))).toEqual([true, true, false, false]);
    expect(undecided.all.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('returns for a sync without a trace the calls for the image of its call', () => {
    const undecided = new UndecidedCalls();
    undecided.started(imageStatus(1, 'busybox:1.36'));
    undecided.started(imageStatus(2, 'nginx:1'));
    undecided.started(traced(3, 'Version', trace));
    const claimedBy = (call: CallRecord): readonly number[] =>
      undecided.claimedBy(syncOf(undefined), call).map(({ number }) => number);
    expect(claimedBy(create('busybox:1.36'))).toEqual([1]);
    expect(claimedBy(record(8, { method: 'PullImage', request: { image: { image: 'nginx:1' } } }))).toEqual([2]);
    expect(claimedBy(record(8, { method: 'StopContainer' }))).toEqual([]);
  });

  it('returns the newest two calls for an image, as another pod may have requested it just before', () => {
    const undecided = new UndecidedCalls();
    for (const number of [1, 2, 3, 4]) undecided.started(imageStatus(number, 'busybox:1.36'));
    const claimed = undecided.claimedBy(syncOf(undefined), create('busybox:1.36'));
    expect(claimed.map(({ number }) => number)).toEqual([3, 4]);
  });

  it('returns one call for a pull, and none if the kubelet pulls without requesting the status', () => {
    const undecided = new UndecidedCalls();
    for (const number of [1, 2]) undecided.started(imageStatus(number, 'busybox:latest'));
    const pull = record(8, { method: 'PullImage', request: { image: { image: 'busybox:latest' } } });
    const claimed = (): readonly number[] => undecided.claimedBy(syncOf(undefined), pull).map(({ number }) => number);
    expect(claimed()).toEqual([2]);
    undecided.pullsUnread = ({ uid }, image) => uid === 'uid-1' && image === 'busybox:latest';
    expect(claimed()).toEqual([]);
  });

  it('returns the calls for an image without a tag, to which the kubelet adds the default tag', () => {
    const undecided = new UndecidedCalls();
    for (const [number, image] of ['busybox:latest', 'busybox', 'busybox:1'].entries())
      undecided.started(imageStatus(number, image));
    const claimed = undecided.claimedBy(syncOf(undefined), create('busybox'));
    expect(claimed.map(({ number }) => number)).toEqual([0, 1]);
  });

  it('returns no call for another tag of the same image if the request names the tag, as v1.36 does', () => {
    const undecided = new UndecidedCalls();
    const other = imageStatus(1, 'busybox:stable');
    undecided.started(other);
    undecided.ended({ ...other, result: { end: 1, status: 0, message: '', response: { image: { id: 'sha256:1' } } } });
    const image = { image: 'sha256:1', userSpecifiedImage: 'busybox:1.36' };
    const call = record(9, { method: 'CreateContainer', request: { config: { image } } });
    expect(undecided.claimedBy(syncOf(undefined), call)).toEqual([]);
  });

  it('returns the calls whose answer has the id or the digest in the request, as v1.20 sends it', () => {
    const undecided = new UndecidedCalls();
    const ended = (number: number, image: object): void => {
      const call = imageStatus(number, `image-${number}`);
      undecided.started(call);
      undecided.ended({ ...call, result: { end: number, status: 0, message: '', response: { image } } });
    };
    ended(1, { id: 'sha256:1', repoDigests: ['busybox@sha256:2'] });
    ended(2, { id: 'sha256:3', repoDigests: [] });
    const claimedBy = (image: string): readonly number[] =>
      undecided
        .claimedBy(
          syncOf(undefined),
          record(9, { method: 'CreateContainer', request: { config: { image: { image } } } }),
        )
        .map(({ number }) => number);
    expect([claimedBy('busybox@sha256:2'), claimedBy('sha256:3'), claimedBy('sha256:9')]).toEqual([[1], [2], []]);
  });

  it('returns no call whose annotations name another static pod', () => {
    const undecided = new UndecidedCalls();
    for (const [index, hash] of ['uid-1', 'uid-2'].entries()) {
      const annotations = { 'kubernetes.io/config.hash': hash };
      undecided.started(record(index, { request: { image: { image: 'busybox:1.36', annotations } } }));
    }
    const claimed = undecided.claimedBy(syncOf(undefined), create('busybox:1.36'));
    expect(claimed.map(({ number }) => number)).toEqual([0]);
  });

  it('returns for a traced sync all calls with its trace', () => {
    const undecided = new UndecidedCalls();
    undecided.started(traced(1, 'ImageStatus', trace));
    undecided.started(traced(2, 'ImageStatus', otherTrace));
    undecided.started(traced(3, 'Version', trace));
    expect(undecided.claimedBy(syncOf(trace), create('x')).map(({ number }) => number)).toEqual([1, 3]);
  });

  it('returns a call as overdue more than a second after its start, with its result, and takes it once', () => {
    const undecided = new UndecidedCalls();
    const call = imageStatus(1, 'busybox:1.36');
    undecided.started(call);
    const ended = { ...call, result: { end: 5, status: 0, message: '', response: {} } };
    undecided.ended(ended);
    expect(undecided.overdue(1_001)).toEqual([]);
    expect(undecided.overdue(1_002)).toEqual([ended]);
    expect(undecided.take(1)).toEqual(ended);
    expect(undecided.take(1)).toBeUndefined();
    undecided.ended(ended);
    expect(undecided.all).toEqual([]);
  });
});
