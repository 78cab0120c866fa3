import { expect, it } from 'vitest';
import { networkAddresses } from './network-addresses.ts';

it('lists IPv4 addresses without loopback and the bridges of container engines and virtual machines', () => {
  const address = (text: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) => ({
    address: text,
    netmask: '',
    mac: '',
    cidr: null,
    internal,
    ...(family === 'IPv4' ? { family } : { family, scopeid: 0 }),
  });
  expect(
    networkAddresses({
      lo: [address('127.0.0.1', 'IPv4', true)],
      docker0: [address('172.17.0.1')],
      'br-3f2a': [address('172.18.0.1')],
      virbr0: [address('192.168.122.1')],
      eth0: [address('172.20.1.7'), address('fe80::1', 'IPv6')],
    }),
  ).toEqual(['172.20.1.7']);
});
