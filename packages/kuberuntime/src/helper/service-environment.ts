/**
 * Generates environment variables that contain the addresses of services. Upstream: pkg/kubelet/envvars (v1.36),
 * kubelet getServiceEnvVarMap.
 */
import type { Service, ServicePort } from '@podscope/k8s';

const masterServiceNamespace = 'default';
const masterServices: ReadonlySet<string> = new Set(['kubernetes']);

const variableName = (text: string): string => text.toUpperCase().replaceAll('-', '_');
const joinHostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Returns true for a service with a cluster IP. Upstream: helper.IsServiceIPSet. */
const isServiceIPSet = ({ spec }: Service): boolean =>
  spec.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None';

/** Returns the services that are visible to containers in `namespace`. */
function visibleServices(
  services: readonly Service[],
  namespace: string,
  enableServiceLinks: boolean,
): Iterable<Service> {
  const byName = new Map<string, Service>();
  for (const service of services) {
    if (!isServiceIPSet(service)) continue;
    const { name } = service.metadata;
    const isMaster = service.metadata.namespace === masterServiceNamespace && masterServices.has(name);
    if (service.metadata.namespace === namespace) {
      if (enableServiceLinks || isMaster) byName.set(name, service);
    } else if (isMaster && !byName.has(name)) {
      byName.set(name, service);
    }
  }
  return byName.values();
}

/** Adds variables in the format of Docker's container links. Upstream: makeLinkVariables. */
function addLinkVariables(
  variables: Record<string, string>,
  prefix: string,
  clusterIP: string,
  ports: readonly ServicePort[],
): void {
  for (const [index, { port, protocol = 'TCP' }] of ports.entries()) {
    const url = `${protocol.toLowerCase()}://${joinHostPort(clusterIP, port)}`;
    if (index === 0) variables[`${prefix}_PORT`] = url;
    const portPrefix = `${prefix}_PORT_${port}_${protocol}`;
    variables[portPrefix] = url;
    variables[`${portPrefix}_PROTO`] = protocol.toLowerCase();
    variables[`${portPrefix}_PORT`] = String(port);
    variables[`${portPrefix}_ADDR`] = clusterIP;
  }
}

/**
 * Returns the environment variables for the services that containers in `namespace` can see. Upstream:
 * getServiceEnvVarMap, which calls envvars.FromServices.
 */
export function serviceEnvironment(
  services: readonly Service[],
  namespace: string,
  enableServiceLinks: boolean,
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const { metadata, spec } of visibleServices(services, namespace, enableServiceLinks)) {
    const prefix = variableName(metadata.name);
    const { clusterIP = '', ports = [] } = spec;
    variables[`${prefix}_SERVICE_HOST`] = clusterIP;
    const [first] = ports;
    if (first) variables[`${prefix}_SERVICE_PORT`] = String(first.port);
    for (const { name, port } of ports)
      if (name) variables[`${prefix}_SERVICE_PORT_${variableName(name)}`] = String(port);
    addLinkVariables(variables, prefix, clusterIP, ports);
  }
  return variables;
}
