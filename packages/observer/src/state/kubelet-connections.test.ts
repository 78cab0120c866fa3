import { describe, expect, it } from 'vitest';
import { KubeletConnections } from './kubelet-connections.ts';

type Calls = readonly (readonly [connection: number, method: string])[];

/** Applies calls of these connections and methods, one a second. */
function call(connections: KubeletConnections, calls: Calls, from = 0): void {
  const common = { service: 'runtime.v1.RuntimeService', metadata: {}, deadline: undefined, request: {} };
  for (const [index, [connection, method]] of calls.entries())
    connections.called({ ...common, number: from + index, method, connection, t: from + index });
}

/** Returns the times at which the kubelet started, after these calls. */
function startsOf(calls: Calls): readonly number[] {
  const connections = new KubeletConnections();
  call(connections, calls);
  return connections.starts;
}

describe('the starts of a kubelet', () => {
  it('are the new connections that begin with Version', () => {
    const calls = [
      [1, 'Version'],
      [1, 'ListContainers'],
      [3, 'Version'],
      [3, 'ListContainers'],
      [5, 'Version'],
    ] as const;
    expect(startsOf(calls)).toEqual([2, 4]);
  });

  it('are not the connections of crictl, after which the kubelet uses its own again', () => {
    const calls = [
      [1, 'Version'],
      [3, 'Version'],
      [3, 'ListContainers'],
      [1, 'ListContainers'],
      [3, 'ListContainers'],
      [5, 'Version'],
    ] as const;
    expect(startsOf(calls)).toEqual([5]);
  });

  it('are not the connections of crictl with a call that a kubelet makes, too', () => {
    const calls = [
      [1, 'Status'],
      [3, 'Version'],
      [3, 'RunPodSandbox'],
      [1, 'ListContainers'],
    ] as const;
    expect(startsOf(calls)).toEqual([]);
  });

  it('are found while a client that made the first call continues', () => {
    const calls = [
      [7, 'ListContainerStats'],
      [1, 'ListPodSandbox'],
      [7, 'ListContainerStats'],
      [1, 'Status'],
      [9, 'Version'],
      [7, 'ListContainerStats'],
      [9, 'ListContainers'],
    ] as const;
    expect(startsOf(calls)).toEqual([4]);
  });

  it('are found at the first Status of the new process if the earlier one had none', () => {
    const calls = [
      [7, 'ListContainerStats'],
      [1, 'ListPodSandbox'],
      [7, 'ListContainerStats'],
      [1, 'ListPodSandbox'],
      [9, 'Version'],
      [7, 'ListContainerStats'],
      [9, 'Status'],
    ] as const;
    expect(startsOf(calls)).toEqual([4]);
  });

  it('are found after crictl has run more often than connections are remembered', () => {
    const connections = new KubeletConnections();
    call(connections, [[1, 'Status']]);
    for (let run = 0; run < 300; run++)
      call(
        connections,
        [
          [2 + run, 'Version'],
          [2 + run, 'ListContainers'],
          [1, 'ListContainers'],
        ],
        1 + 3 * run,
      );
    call(connections, [[400, 'Version']], 1_000);
    expect(connections.starts).toEqual([1_000]);
    expect(connections.size).toBeLessThanOrEqual(64);
  });
});

describe('the starts of a kubelet around an interruption', () => {
  const usual = [
    [1, 'Version'],
    [1, 'Status'],
  ] as const;

  it.each([
    [
      'include a connection number that another relay has given again',
      'second',
      [
        [1, 'Version'],
        [3, 'Version'],
      ],
      [
        [1, 'ListContainers'],
        [3, 'Version'],
      ],
      [1, 11],
    ],
    [
      'include the first call after it if the relay is the same',
      'first',
      usual,
      [
        [9, 'Version'],
        [9, 'ListContainers'],
      ],
      [10],
    ],
    [
      'include a new process that made its first calls meanwhile, if the relay is the same',
      'first',
      usual,
      [
        [9, 'ListContainers'],
        [9, 'Status'],
      ],
      [10],
    ],
    [
      'are none if the relay is the same and the kubelet uses its connection again',
      'first',
      usual,
      [
        [9, 'Version'],
        [9, 'ListContainers'],
        [1, 'ListContainers'],
        [1, 'Status'],
      ],
      [],
    ],
  ] as const)('%s', (_, relay, before, after, starts) => {
    const connections = new KubeletConnections();
    connections.resumed('first');
    call(connections, before);
    connections.resumed(relay);
    call(connections, after, 10);
    expect(connections.starts).toEqual(starts);
  });
});
