/** Builds the requests of httpGet probes and hooks. Upstream: pkg/probe/http/request.go, pkg/probe/util.go (v1.36). */
import { type Container, goQuote, type HTTPGetAction } from '@podscope/k8s';

export const joinHostPort = (host: string, port: number | string): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/**
 * Returns the number of a port, which is a number, the name of a container port, or a number as text. Upstream:
 * probe.ResolveContainerPort.
 * @throws Error for an unknown or invalid port
 */
export function resolveContainerPort(port: number | string, { ports = [] }: Pick<Container, 'ports'>): number {
  const named = typeof port === 'string' ? ports.find(({ name }) => name === port)?.containerPort : undefined;
  const number = named ?? (typeof port === 'number' || /^[+-]?\d+$/.test(port) ? Number(port) : undefined);
  if (number === undefined) throw new Error(`strconv.Atoi: parsing ${goQuote(String(port))}: invalid syntax`);
  if (number <= 0 || number >= 65_536) throw new Error(`invalid port number: ${number}`);
  return number;
}

/**
 * Returns the headers of the request. Names that differ only in case are the same header, whose values become a list.
 * Of several Host headers, the first one is used. An empty Accept removes the header.
 */
function headersOf({ httpHeaders = [] }: HTTPGetAction, userAgent: string): Readonly<Record<string, string>> {
  const headers = new Map<string, readonly [name: string, value: string]>();
  for (const { name, value } of httpHeaders) {
    const key = name.toLowerCase();
    const [known, before] = headers.get(key) ?? [];
    if (known === undefined) headers.set(key, [name, value]);
    else if (key !== 'host') headers.set(key, [known, `${before}, ${value}`]);
  }
  if (!headers.has('user-agent')) headers.set('user-agent', ['User-Agent', userAgent]);
  if (!headers.has('accept')) headers.set('accept', ['Accept', '*/*']);
  else if (headers.get('accept')?.[1] === '') headers.delete('accept');
  return Object.fromEntries(headers.values());
}

/** A request, in parts that a second attempt with another scheme can reuse. */
interface HTTPGetRequest {
  /** `http` or `https`. */
  readonly scheme: string;
  /** Host and port. */
  readonly address: string;
  /** Address and path, without a scheme. */
  readonly location: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the request of an httpGet action. Upstream: NewRequestForHTTPGetAction.
 * @param host the address of the pod, or the host of the action
 * @throws Error for an unknown or invalid port
 */
export function httpGetRequest(
  action: HTTPGetAction,
  container: Pick<Container, 'ports'>,
  host: string,
  userAgent: string,
): HTTPGetRequest {
  const address = joinHostPort(host, resolveContainerPort(action.port, container));
  const path = action.path ?? '';
  return {
    scheme: (action.scheme || 'HTTP').toLowerCase(),
    address,
    location: `${address}${path === '' || path.startsWith('/') ? '' : '/'}${path}`,
    headers: headersOf(action, userAgent),
  };
}
