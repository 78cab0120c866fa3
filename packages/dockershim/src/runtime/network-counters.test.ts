import { expect, it } from 'vitest';
import { parseNetworkCounters } from './network-counters.ts';

it('returns the counters of every interface but the loopback', () => {
  const text = `Inter-|   Receive                                              |  Transmit
 face |bytes  packets errs drop fifo frame compressed multicast|bytes  packets errs drop fifo colls carrier compressed
    lo:   100       1    0    0    0     0          0         0    100       1    0    0    0     0       0          0
  eth0:  1234      12    1    2    0     0          0         0   5678      56    3    4    0     0       0          0
`;
  expect(parseNetworkCounters(text)).toEqual({
    eth0: {
      rx_bytes: 1234,
      rx_packets: 12,
      rx_errors: 1,
      rx_dropped: 2,
      tx_bytes: 5678,
      tx_packets: 56,
      tx_errors: 3,
      tx_dropped: 4,
    },
  });
});

it('returns no interfaces for an empty text', () => {
  expect(parseNetworkCounters('')).toEqual({});
});
