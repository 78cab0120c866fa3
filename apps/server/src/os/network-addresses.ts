/** Lists the addresses at which other machines can reach this one. */
import { networkInterfaces } from 'node:os';

/** Interfaces that container engines and virtual machines create. Other machines can't reach their addresses. */
const bridges = /^(?:docker|br-|veth|cni|podman|virbr|lxcbr|flannel|cali)/;

/** Returns the IPv4 addresses of this machine in its networks. */
export function networkAddresses(interfaces = networkInterfaces()): readonly string[] {
  const reachable = Object.entries(interfaces).filter(([name]) => !bridges.test(name));
  return reachable
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
