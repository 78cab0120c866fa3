/**
 * Formats and parses the checkpoint file of a sandbox. The file is JSON with an FNV-1a checksum of a text dump of its
 * data. Upstream: PodSandboxCheckpoint (dockershim docker_checkpoint.go, v1.20).
 */
import { z } from 'zod';
import type { PodSandboxConfig, PortMapping } from './messages.ts';

const portMappingSchema = z.object({
  protocol: z.string().optional(),
  container_port: z.number().optional(),
  host_port: z.number().optional(),
  host_ip: z.string().optional(),
});

const checkpointSchema = z.object({
  version: z.string(),
  name: z.string(),
  namespace: z.string(),
  data: z.object({ port_mappings: z.array(portMappingSchema).optional(), host_network: z.boolean().optional() }),
  checksum: z.number(),
});

type Data = z.infer<typeof checkpointSchema>['data'];

/** The properties of a sandbox that a checkpoint records. */
export interface SandboxCheckpoint {
  readonly name: string;
  readonly namespace: string;
  readonly hostNetwork: boolean;
  readonly portMappings: readonly PortMapping[];
}

/** Thrown for a checkpoint that can't be parsed or whose checksum doesn't match. */
export class CorruptCheckpointError extends Error {
  override readonly name = 'CorruptCheckpointError';
  constructor(options?: ErrorOptions) {
    super('checkpoint is corrupted', options);
  }
}

/** Returns the 32-bit FNV-1a hash of a text's UTF-8 bytes. */
function fnv1a(text: string): number {
  let hash = 2_166_136_261;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16_777_619);
  return hash >>> 0;
}

/**
 * The names of Go types in the dump. The files of cri-dockerd differ from those of dockershim only in the checksum,
 * which includes these names.
 */
const dialects = [
  { data: 'dockershim', mapping: 'dockershim' },
  { data: 'core', mapping: 'config' },
] as const;
type Dialect = (typeof dialects)[number];

/** Returns the text from which the checksum is computed: CheckpointData as Go's spew prints it. */
function dump(
  { port_mappings: ports, host_network: hostNetwork = false }: Data,
  dialect: Dialect = dialects[0],
): string {
  const mapping = (port: z.infer<typeof portMappingSchema>): string =>
    `<*>{Protocol:(*${dialect.mapping}.Protocol)${port.protocol ?? 'tcp'} ` +
    `ContainerPort:(*int32)${port.container_port ?? 0} ` +
    `HostPort:(*int32)${port.host_port ?? 0} HostIP:(string)${port.host_ip ?? ''}}`;
  const list = ports && ports.length > 0 ? `[${ports.map(mapping).join(' ')}]` : '<nil>';
  return (
    `(${dialect.data}.CheckpointData){PortMappings:([]*${dialect.mapping}.PortMapping)${list} ` +
    `HostNetwork:(bool)${hostNetwork}}`
  );
}

const protocolTexts = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

/** Returns the checkpoint for the request of a sandbox. Upstream: constructPodSandboxCheckpoint. */
export const checkpointOf = ({ metadata, portMappings = [], linux }: PodSandboxConfig): SandboxCheckpoint => ({
  name: metadata.name,
  namespace: metadata.namespace,
  hostNetwork: linux?.securityContext?.namespaceOptions?.network === 'NODE',
  portMappings,
});

/** Returns the content of the file. As in Go, keys have the order of the Go fields, and HTML characters are escaped. */
export function serializeCheckpoint({ name, namespace, hostNetwork, portMappings }: SandboxCheckpoint): string {
  const ports = portMappings.map(({ protocol = 'TCP', containerPort, hostPort = 0, hostIp }) => ({
    protocol: protocolTexts[protocol],
    container_port: containerPort,
    host_port: hostPort,
    ...(hostIp ? { host_ip: hostIp } : {}),
  }));
  const data: Data = {
    ...(ports.length > 0 ? { port_mappings: ports } : {}),
    ...(hostNetwork ? { host_network: true } : {}),
  };
  const text = JSON.stringify({ version: 'v1', name, namespace, data, checksum: fnv1a(dump(data)) });
  return text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

/**
 * Parses a file's content.
 * @throws CorruptCheckpointError if the text isn't a checkpoint or its checksum doesn't match
 */
export function parseCheckpoint(text: string): SandboxCheckpoint {
  let content: z.infer<typeof checkpointSchema>;
  try {
    content = checkpointSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CorruptCheckpointError({ cause });
  }
  if (!dialects.some((dialect) => fnv1a(dump(content.data, dialect)) === content.checksum))
    throw new CorruptCheckpointError();
  const portMappings = (content.data.port_mappings ?? []).map((port): PortMapping => {
    const protocol = port.protocol === 'udp' ? 'UDP' : port.protocol === 'sctp' ? 'SCTP' : 'TCP';
    return {
      protocol,
      containerPort: port.container_port ?? 0,
      hostPort: port.host_port ?? 0,
      ...(port.host_ip ? { hostIp: port.host_ip } : {}),
    };
  });
  return {
    name: content.name,
    namespace: content.namespace,
    hostNetwork: content.data.host_network ?? false,
    portMappings,
  };
}
