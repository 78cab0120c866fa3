/**
 * Simulates the pod network: address allocation, listeners and requests. A request is a function call; packets aren't
 * simulated.
 */
import type { GrpcErrorCode, Milliseconds } from '@podscope/trace';

/** A request to a simulated server. */
interface SimulatedRequest {
  readonly path: string;
  readonly host: string;
}

/** A response of a simulated server. */
interface SimulatedResponse {
  readonly status: number;
  readonly body: string;
}

/** A server that listens on a port. It returns undefined if it accepts connections but doesn't speak HTTP. */
export type Server = (
  request: SimulatedRequest,
) => Promise<SimulatedResponse | undefined> | SimulatedResponse | undefined;

/** The result of a gRPC health check: `HealthCheckResponse.ServingStatus` of grpc.health.v1. */
type ServingStatus = 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';

/** The response of the gRPC health service, or the error of the call. */
export type HealthAnswer =
  | { readonly status: ServingStatus }
  | { readonly code: GrpcErrorCode; readonly details: string };

/** The gRPC health service of a port. The empty service name means the whole server. */
export type HealthService = (service: string) => Promise<HealthAnswer> | HealthAnswer;

interface Listener {
  readonly owner: object;
  readonly server: Server;
  readonly health: HealthService | undefined;
}

/** Thrown when all addresses are in use. Its message equals the host-local plugin's message. */
class AddressesExhaustedError extends Error {
  override readonly name = 'AddressesExhaustedError';
}

/** The network namespace of a pod or of the host. */
export class NetworkStack {
  readonly ip: string;
  readonly #listeners = new Map<number, Listener>();
  readonly #bridges = new Set<string>();

  constructor(ip: string) {
    this.ip = ip;
  }

  /**
   * Opens a port. Returns false when the port is in use.
   * @param health the gRPC health service of the port; without it, the port doesn't speak gRPC
   */
  listen(port: number, owner: object, server: Server, health?: HealthService): boolean {
    if (this.#listeners.has(port)) return false;
    this.#listeners.set(port, { owner, server, health });
    return true;
  }

  release(port: number, owner: object): void {
    if (this.#listeners.get(port)?.owner === owner) this.#listeners.delete(port);
  }

  /** Closes all ports that `owner` has opened. */
  releaseAll(owner: object): void {
    for (const [port, listener] of this.#listeners) if (listener.owner === owner) this.#listeners.delete(port);
  }

  serverAt(port: number): Server | undefined {
    return this.#listeners.get(port)?.server;
  }

  healthAt(port: number): HealthService | undefined {
    return this.#listeners.get(port)?.health;
  }

  get bridges(): readonly string[] {
    return [...this.#bridges];
  }

  /** Adds a bridge. Returns false when a bridge with this name exists. */
  addBridge(name: string): boolean {
    const isNew = !this.#bridges.has(name);
    this.#bridges.add(name);
    return isNew;
  }

  /** Removes a bridge. Returns false when it doesn't exist. */
  removeBridge(name: string): boolean {
    return this.#bridges.delete(name);
  }

  get ports(): readonly number[] {
    return [...this.#listeners.keys()];
  }
}

const toNumber = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toText = (ip: number): string => [24, 16, 8, 0].map((shift) => Math.floor(ip / 2 ** shift) % 256).join('.');

/**
 * Simulates the network of a node. Allocates addresses round robin, as the host-local plugin does, and resolves them.
 */
export class PodNetwork {
  readonly host: NetworkStack;
  readonly #first: number;
  readonly #last: number;
  readonly #stacks = new Map<string, NetworkStack>();
  #lastReserved: number;

  /**
   * @param range the range of the pods' addresses, for example `10.244.0.0/24`; its first address is the bridge's
   * @throws RangeError when `range` isn't an IPv4 range or is too small
   */
  constructor(range: string, hostIp: string) {
    const match = /^(\d+(?:\.\d+){3})\/(\d+)$/.exec(range);
    const bits = Number(match?.[2]);
    if (!match?.[1] || bits > 30 || bits < 8 || match[1].split('.').some((part) => Number(part) > 255))
      throw new RangeError(`ipRange ${JSON.stringify(range)} is not an IPv4 range such as 10.244.0.0/24`);
    const size = 2 ** (32 - bits);
    const base = toNumber(match[1]) - (toNumber(match[1]) % size);
    this.#first = base + 2;
    this.#last = base + size - 2;
    this.#lastReserved = this.#first - 1;
    this.host = new NetworkStack(hostIp);
    this.#stacks.set(hostIp, this.host);
  }

  /**
   * Allocates an address for a new network stack.
   * @throws AddressesExhaustedError when all addresses are in use
   */
  attach(): NetworkStack {
    const count = this.#last - this.#first + 1;
    for (let i = 1; i <= count; i++) {
      const candidate = this.#first + ((this.#lastReserved - this.#first + i) % count);
      const ip = toText(candidate);
      if (this.#stacks.has(ip)) continue;
      this.#lastReserved = candidate;
      const stack = new NetworkStack(ip);
      this.#stacks.set(ip, stack);
      return stack;
    }
    const range = `${toText(this.#first - 1)}-${toText(this.#last)}`;
    throw new AddressesExhaustedError(
      `failed to allocate for range 0: no IP addresses available in range set: ${range}`,
    );
  }

  detach(stack: NetworkStack): void {
    if (stack !== this.host && this.#stacks.get(stack.ip) === stack) this.#stacks.delete(stack.ip);
  }

  /** Returns the network stack of a host, as seen from `from`; undefined for an unknown name or address. */
  resolve(host: string, from: NetworkStack): NetworkStack | undefined {
    if (host === 'localhost' || host.startsWith('127.') || host === '::1') return from;
    return this.#stacks.get(host);
  }
}

/** The round-trip time of a request, in ms. */
export const roundTrip: Milliseconds = 1;
