/** Defines how v1.20 computes the values that the kubelet prepares for the runtime manager. */
import type { DNSProfile } from '../dns.ts';
import type { EnvironmentProfile } from '../environment.ts';
import type { HelperProfile } from '../helper-profile.ts';

export const dnsProfileV120: DNSProfile = {
  maxSearchPaths: 6,
  maxSearchListChars: 256,
  mergeResolverOptions: false,
  dropRootSearch: false,
};

export const environmentProfileV120: EnvironmentProfile = {
  refuseUnusualNames: true,
  hostIPs: false,
  nodeFamilyFirst: false,
  podLevelResources: false,
};

export const helperProfileV120: HelperProfile = {
  dns: dnsProfileV120,
  environment: environmentProfileV120,
  hostsFileForHostNetwork: false,
  hostnameOverride: false,
  recursiveReadOnly: false,
};
