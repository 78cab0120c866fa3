/** Defines how releases differ in what the kubelet prepares for the runtime manager. */
import { type DNSProfile, dnsProfileV120, dnsProfileV136 } from './dns.ts';
import { type EnvironmentProfile, environmentProfileV120, environmentProfileV136 } from './environment.ts';

export interface HelperProfile {
  readonly dns: DNSProfile;
  readonly environment: EnvironmentProfile;
  /** True if host-network pods get /etc/hosts mounted before they have an address. */
  readonly hostsFileForHostNetwork: boolean;
  /** True if `spec.hostnameOverride` is supported. */
  readonly hostnameOverride: boolean;
}

export const helperProfileV136: HelperProfile = {
  dns: dnsProfileV136,
  environment: environmentProfileV136,
  hostsFileForHostNetwork: true,
  hostnameOverride: true,
};

export const helperProfileV120: HelperProfile = {
  dns: dnsProfileV120,
  environment: environmentProfileV120,
  hostsFileForHostNetwork: false,
  hostnameOverride: false,
};
