/** Declares how a host sets its kubelet's endpoints, and reads units, files of flags and YAML files that set them. */
import { isMap, parseDocument } from 'yaml';
import type { Host } from './host.ts';

/** The way in which the host runs its kubelet. */
type HostKind = 'kubeadm' | 'k3s' | 'RKE2' | 'systemd';

export interface KubeletSetup {
  readonly kind: HostKind;
  /** The systemd unit that runs the kubelet. */
  readonly unit: string;
  /** The endpoint that the kubelet uses now. */
  readonly endpoint: string;
  readonly imageEndpoint: string | undefined;
  /** The URL of the kubelet's health endpoint; undefined if the kubelet's configuration disables it. */
  readonly healthz: string | undefined;
  /** The places that `install` changes. */
  readonly settings: readonly Setting[];
}

/** A place that sets an endpoint. The form `kubelet-arg` is a new drop-in of k3s or RKE2. */
export interface Setting {
  readonly file: string;
  readonly form: 'yaml' | 'flags' | 'kubelet-arg';
  readonly key: 'runtime' | 'image';
}

/** The kubelet's flags for its endpoints. */
export const flagNames = { runtime: 'container-runtime-endpoint', image: 'image-service-endpoint' } as const;
const unitDirectories = [
  '/etc/systemd/system',
  '/usr/local/lib/systemd/system',
  '/lib/systemd/system',
  '/usr/lib/systemd/system',
] as const;

/** Returns the pattern of a flag with its value. */
export const flagPattern = (key: 'runtime' | 'image'): RegExp =>
  new RegExp(`(--${flagNames[key]}[= ])("[^"]*"|'[^']*'|[^\\s"']+)`);

/** Returns the value of a flag in a text that contains arguments. */
export function flagIn(text: string, key: 'runtime' | 'image'): string | undefined {
  return flagPattern(key)
    .exec(text)?.[2]
    ?.replaceAll(/^["']|["']$/g, '');
}

/** Returns a text or a number of the map in a YAML text as text, or undefined if the map has no such value. */
export function yamlValue(text: string, key: string): string | undefined {
  const { contents } = parseDocument(text);
  const value = isMap(contents) ? contents.get(key) : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The settings of the kubelet's health endpoint: the fields of its configuration, and its flags. */
export const healthzNames = {
  address: { field: 'healthzBindAddress', flag: 'healthz-bind-address' },
  port: { field: 'healthzPort', flag: 'healthz-port' },
} as const;

/**
 * Returns the URL of the kubelet's health endpoint, or undefined if the port 0 disables it. Upstream's default values:
 * SetDefaults_KubeletConfiguration (v1.36).
 */
export function healthzUrl(settings: ReadonlyMap<keyof typeof healthzNames, string>): string | undefined {
  const port = Number(settings.get('port') ?? 10_248);
  const address = settings.get('address') ?? '127.0.0.1';
  if (port === 0) return undefined;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`;
}

/** Returns the text of a systemd unit and its drop-ins; empty if the unit doesn't exist. */
export async function unitText(host: Host, unit: string): Promise<string> {
  let text = '';
  for (const directory of unitDirectories) {
    text += (await host.read(`${directory}/${unit}`)) ?? '';
    for (const name of (await host.list(`${directory}/${unit}.d`)).filter((each) => each.endsWith('.conf')).toSorted())
      text += `\n${(await host.read(`${directory}/${unit}.d/${name}`)) ?? ''}`;
  }
  return text;
}
