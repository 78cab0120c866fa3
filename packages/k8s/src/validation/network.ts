/** Validates a pod's host names, aliases and DNS. Upstream: pkg/apis/core/validation (v1.36). */

import type { PodSpec } from '../types.ts';
import type { Report } from './report.ts';
import { isDNS1123Label, isDNS1123Subdomain, isValidIP } from './syntax.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCH_PATHS = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const MAX_HOSTNAME_BYTES = 64;
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/**
 * Validates the network fields of a pod spec. Upstream: the host name, alias and DNS parts of ValidatePodSpec
 * (core/validation, v1.36).
 */
export function validateNetwork(spec: PodSpec, report: Report): void {
  report.oneOf('spec.dnsPolicy', spec.dnsPolicy, dnsPolicies);
  validateDNSConfig(spec, report);
  if (spec.hostname) report.invalidEach('spec.hostname', spec.hostname, isDNS1123Label(spec.hostname));
  if (spec.subdomain) report.invalidEach('spec.subdomain', spec.subdomain, isDNS1123Label(spec.subdomain));
  validateHostnameOverride(spec, report);
  for (const [index, { ip, hostnames }] of (spec.hostAliases ?? []).entries()) {
    report.invalidEach(`spec.hostAliases[${index}].ip`, ip, isValidIP(ip));
    for (const [position, hostname] of (hostnames ?? []).entries()) {
      report.invalidEach(`spec.hostAliases[${index}].hostnames[${position}]`, hostname, isDNS1123Subdomain(hostname));
    }
  }
}

function validateHostnameOverride({ hostnameOverride, setHostnameAsFQDN, hostNetwork }: PodSpec, report: Report): void {
  if (hostnameOverride === undefined) return;
  const path = 'spec.hostnameOverride';
  report.invalidEach(path, hostnameOverride, isDNS1123Subdomain(hostnameOverride));
  if (hostnameOverride.length > MAX_HOSTNAME_BYTES) report.tooLong(path, MAX_HOSTNAME_BYTES);
  if (setHostnameAsFQDN) report.forbidden(path, 'may not be specified when setHostnameAsFQDN is true');
  if (hostNetwork) report.forbidden(path, 'may not be specified when hostNetwork is true');
}

/** Validates `spec.dnsConfig`. Upstream: validatePodDNSConfig (core/validation, v1.36). */
function validateDNSConfig({ dnsConfig, dnsPolicy }: PodSpec, report: Report): void {
  const path = 'spec.dnsConfig';
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return report.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
    if (nameservers.length === 0) {
      return report.required(
        `${path}.nameservers`,
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
      );
    }
  }
  if (nameservers.length > MAX_NAMESERVERS) {
    report.invalid(`${path}.nameservers`, nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  for (const [index, server] of nameservers.entries())
    report.invalidEach(`${path}.nameservers[${index}]`, server, isValidIP(server));
  if (searches.length > MAX_SEARCH_PATHS) {
    report.invalid(`${path}.searches`, searches, `must not have more than ${MAX_SEARCH_PATHS} search paths`);
  }
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS) {
    report.invalid(
      `${path}.searches`,
      searches,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  }
  for (const [index, search] of searches.entries()) {
    const name = search.replace(/\.$/, '');
    report.invalidEach(`${path}.searches[${index}]`, name, search === '.' ? [] : isDNS1123Subdomain(name));
  }
  for (const [index, { name }] of options.entries())
    if (!name) report.required(`${path}.options[${index}]`, 'must not be empty');
  return undefined;
}
