/** Computes the port mappings of a pod's regular containers. Upstream: kubecontainer.MakePortMappings (v1.36). */
import type { PortMapping } from '@podscope/cri';
import type { Container, ContainerPort, Pod } from '@podscope/k8s';

/** Returns the name of a port. An unnamed port gets a name from its mapping. */
function portName({ name, protocol = 'TCP', hostIP, containerPort, hostPort = 0 }: ContainerPort): string {
  if (name) return name;
  const family = hostIP ? (hostIP.includes(':') ? 'v6' : 'v4') : 'any';
  return `${family}-${protocol}-${hostIP ?? ''}:${containerPort}:${hostPort}`;
}

function containerPortMappings({ ports = [] }: Container): PortMapping[] {
  const seen = new Set<string>();
  const mappings: PortMapping[] = [];
  for (const port of ports) {
    const name = portName(port);
    if (seen.has(name)) continue;
    seen.add(name);
    mappings.push({
      protocol: port.protocol ?? 'TCP',
      containerPort: port.containerPort,
      hostPort: port.hostPort ?? 0,
      hostIp: port.hostIP ?? '',
    });
  }
  return mappings;
}

/** Returns the port mappings of regular containers. Ports of init containers and sidecars are ignored. */
export const makePortMappings = ({ spec }: Pod): readonly PortMapping[] =>
  spec.containers.flatMap(containerPortMappings);
