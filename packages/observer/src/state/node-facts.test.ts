import { describe, expect, it } from 'vitest';
import { NodeFacts } from './node-facts.ts';

/** Returns the times at which the kubelet started, after calls of these connections and methods, one a second. */
function startsOf(calls: readonly (readonly [connection: number, method: string])[], facts = new NodeFacts()) {
  const service = 'runtime.v1.RuntimeService';
  for (const [index, [connection, method]] of calls.entries())
    facts.called({
      number: index,
      service,
      method,
      connection,
      metadata: {},
      t: index,
      deadline: undefined,
      request: {},
    });
  return facts.starts;
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

  it('are found after another relay has numbered the connections anew', () => {
    const facts = new NodeFacts();
    startsOf(
      [
        [1, 'Version'],
        [3, 'Version'],
      ],
      facts,
    );
    facts.interrupted();
    const calls = [
      [1, 'ListContainers'],
      [3, 'Version'],
    ] as const;
    expect(startsOf(calls, facts)).toEqual([1, 1]);
  });
});
