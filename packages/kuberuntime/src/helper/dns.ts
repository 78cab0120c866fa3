/** Computes the DNS settings of a pod's sandbox. Upstream: pkg/kubelet/network/dns/dns.go (v1.36 and v1.20). */
import type { Pod, PodDNSConfig } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { type EventRecorder, formatPod, type PodDNS } from '../runtime.ts';

/** The node's settings that determine the DNS of pods. */
export interface DNSNode {
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** The node's addresses. */
  readonly ips: readonly string[];
  /** Returns the content of the node's resolver file. Absent if the node is configured without such a file. */
  readonly readResolvConf?: () => Promise<string>;
}

/** Differences between releases. */
export interface DNSProfile {
  readonly maxSearchPaths: number;
  readonly maxSearchListChars: number;
  /** The maximum length of a search path. Longer ones are omitted. */
  readonly maxSearchPathChars?: number;
  /** Whether all `options` lines of the resolver file count. If false, only the last one counts. */
  readonly mergeResolverOptions: boolean;
  /** True if the search path `.` is omitted. */
  readonly dropRootSearch: boolean;
}

export const dnsProfileV136: DNSProfile = {
  maxSearchPaths: 32,
  maxSearchListChars: 2048,
  maxSearchPathChars: 253,
  mergeResolverOptions: true,
  dropRootSearch: true,
};

const maxNameservers = 3;
const defaultDNSOptions = ['ndots:5'];

const unique = (values: readonly string[]): string[] => [...new Set(values)];
const optionName = (option: string): string => option.split(':', 1)[0] ?? '';

function mergeOptions(existing: readonly string[], added: readonly string[]): string[] {
  const byName = new Map(existing.map((option) => [optionName(option), option]));
  for (const option of added) byName.set(optionName(option), option);
  return [...byName.values()];
}

/**
 * Parses a resolver file. Upstream: parseResolvConf.
 * @throws Error for a `nameserver` line without an address
 */
export function parseResolvConf(content: string, profile: DNSProfile = dnsProfileV136): PodDNS {
  const servers: string[] = [];
  let searches: string[] = [];
  let options: string[] = [];
  for (const line of content.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (line.trimStart().startsWith('#')) continue;
    if (keyword === 'nameserver') {
      if (values[0] === undefined) throw new Error('nameserver list is empty ');
      servers.push(values[0]);
    } else if (keyword === 'search') {
      searches = values
        .filter((path) => !profile.dropRootSearch || path !== '.')
        .map((path) => (path.endsWith('.') ? path.slice(0, -1) : path));
    } else if (keyword === 'options') {
      options = profile.mergeResolverOptions ? mergeOptions(options, values) : values;
    }
  }
  return { servers, searches, options };
}

type PodDNSType = 'cluster' | 'host' | 'none';

/** Returns the DNS type of a pod. An unknown policy counts as ClusterFirst. Upstream: getPodDNSType. */
function getPodDNSType({ spec }: Pod): PodDNSType {
  if (spec.dnsPolicy === 'None') return 'none';
  if (spec.dnsPolicy === 'Default') return 'host';
  return spec.dnsPolicy === 'ClusterFirst' && spec.hostNetwork ? 'host' : 'cluster';
}

/**
 * Returns the DNS settings of a pod. Emits events for entries that exceed the limits. Upstream: Configurer.GetPodDNS.
 * @throws Error when the node's resolver file can't be read
 */
export async function getPodDNS(
  ctx: Context,
  node: DNSNode,
  recorder: EventRecorder,
  pod: Pod,
  profile: DNSProfile = dnsProfileV136,
): Promise<PodDNS> {
  const host: PodDNS = node.readResolvConf
    ? parseResolvConf(await node.readResolvConf(), profile)
    : { servers: [], searches: [], options: [] };
  const base = baseDNS(ctx, node, recorder, pod, host);
  const { dnsConfig } = pod.spec;
  return fitLimits(ctx, recorder, pod, dnsConfig ? appendDNSConfig(base, dnsConfig) : base, profile);
}

function baseDNS(ctx: Context, node: DNSNode, recorder: EventRecorder, pod: Pod, host: PodDNS): PodDNS {
  const type = getPodDNSType(pod);
  if (type === 'none') return { servers: [], searches: [], options: [] };
  if (type === 'cluster') {
    if (node.clusterDNS.length > 0) {
      return {
        servers: node.clusterDNS,
        searches: clusterSearches(node.clusterDomain, pod, host.searches),
        options: defaultDNSOptions,
      };
    }
    const text =
      'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. ' +
      'Falling back to "Default" policy.';
    recorder.nodeEvent(ctx, 'Warning', 'MissingClusterDNS', text);
    recorder.event(ctx, pod, 'Warning', 'MissingClusterDNS', `pod: "${formatPod(pod)}". ${text}`);
  }
  if (node.readResolvConf) return host;
  // Without a resolver file, lookups have to fail inside the pod. With an empty configuration, the runtime would use
  // its default servers.
  const servers = node.ips.map((ip) => (ip.includes(':') ? '::1' : '127.0.0.1'));
  return { ...host, servers: servers.length > 0 ? servers : ['127.0.0.1'], searches: ['.'] };
}

/**
 * Returns the cluster's search paths, followed by the host's search paths. Upstream:
 * generateSearchesForDNSClusterFirst.
 */
function clusterSearches(clusterDomain: string, pod: Pod, host: readonly string[]): readonly string[] {
  if (clusterDomain === '') return host;
  const services = `svc.${clusterDomain}`;
  return unique([`${pod.metadata.namespace ?? ''}.${services}`, services, clusterDomain, ...host]);
}

/** Adds the pod's DNS config to the settings. Upstream: appendDNSConfig. */
function appendDNSConfig(base: PodDNS, { nameservers = [], searches = [], options = [] }: PodDNSConfig): PodDNS {
  const added = options.map(({ name = '', value }) =>
    value === undefined || value === '' ? name : `${name}:${value}`,
  );
  return {
    servers: unique([...base.servers, ...nameservers]),
    searches: unique([...base.searches, ...searches]),
    options: mergeOptions(base.options, added),
  };
}

/**
 * Removes the entries that exceed the limits, and records an event if it removes any. Upstream:
 * formDNSConfigFitsLimits.
 */
function fitLimits(ctx: Context, recorder: EventRecorder, pod: Pod, dns: PodDNS, profile: DNSProfile): PodDNS {
  const warn = (message: string): void => recorder.event(ctx, pod, 'Warning', 'DNSConfigForming', message);
  let { servers } = dns;
  if (servers.length > maxNameservers) {
    servers = servers.slice(0, maxNameservers);
    warn(
      'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ' +
        servers.join(' '),
    );
  }
  const searches = fitSearches(dns.searches, profile);
  if (searches.length < dns.searches.length) {
    warn(
      'Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ' +
        searches.join(' '),
    );
  }
  return { servers, searches, options: dns.options };
}

/** Returns the search paths that are within the limits. Upstream: formDNSSearchFitsLimits. */
function fitSearches(
  searches: readonly string[],
  { maxSearchPaths, maxSearchPathChars = Infinity, maxSearchListChars }: DNSProfile,
): readonly string[] {
  const kept = searches.slice(0, maxSearchPaths).filter((path) => path.length <= maxSearchPathChars);
  while (kept.length > 0 && kept.join(' ').length > maxSearchListChars) kept.pop();
  return kept;
}
