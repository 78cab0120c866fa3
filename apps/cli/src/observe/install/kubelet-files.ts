/**
 * Finds the places that set the kubelet's runtime endpoint on a host. The kubelet reads config.yaml, then drop-ins in
 * `--config-dir`, then flags; later places override earlier ones. kubeadm merges instance-config.yaml into config.yaml
 * at its next upgrade.
 */
import { socketPath } from '@podscope/cri/grpc';
import { isMap, parseDocument } from 'yaml';
import type { Host } from './host.ts';

/** The way in which the host runs its kubelet. */
type HostKind = 'kubeadm' | 'k3s' | 'systemd';

export interface KubeletSetup {
  readonly kind: HostKind;
  /** The systemd unit that runs the kubelet. */
  readonly unit: string;
  /** The endpoint that the kubelet uses now. */
  readonly endpoint: string;
  readonly imageEndpoint: string | undefined;
  /** The files that set the endpoint; empty if the kubelet uses its default endpoint. */
  readonly settings: readonly Setting[];
  /** The kubelet's configuration file. */
  readonly configFile: string | undefined;
}

/** A place that sets an endpoint. */
interface Setting {
  readonly file: string;
  readonly form: 'yaml' | 'flags' | 'k3s';
  readonly key: 'runtime' | 'image';
}

const yamlKeys = { containerRuntimeEndpoint: 'runtime', imageServiceEndpoint: 'image' } as const;
const flagNames = { runtime: 'container-runtime-endpoint', image: 'image-service-endpoint' } as const;
const files = {
  config: '/var/lib/kubelet/config.yaml',
  instance: '/var/lib/kubelet/instance-config.yaml',
  flags: '/var/lib/kubelet/kubeadm-flags.env',
  k3s: '/etc/rancher/k3s/config.yaml',
  k3sSocket: '/run/k3s/containerd/containerd.sock',
} as const;
const unitFiles = ['/etc/systemd/system', '/lib/systemd/system', '/usr/lib/systemd/system'] as const;
const defaultEndpoint = 'unix:///run/containerd/containerd.sock';
const environmentFiles = ['/etc/default/kubelet', '/etc/sysconfig/kubelet'] as const;

const flagPattern = (key: 'runtime' | 'image'): RegExp =>
  new RegExp(`(--${flagNames[key]}[= ])("[^"]*"|'[^']*'|[^\\s"']+)`);

/** Returns the value of a flag in a text that contains arguments. */
function flagIn(text: string, key: 'runtime' | 'image'): string | undefined {
  return flagPattern(key)
    .exec(text)?.[2]
    ?.replaceAll(/^["']|["']$/g, '');
}

/** Returns the text with another value of the flag. */
const withFlag = (text: string, key: 'runtime' | 'image', endpoint: string): string =>
  text.replace(flagPattern(key), (_, name: string) => `${name}${endpoint}`);

/** Returns the text of a KubeletConfiguration with another endpoint. Comments and the order of fields are kept. */
function withYamlKey(text: string, key: string, endpoint: string): string {
  const document = parseDocument(text);
  document.set(key, endpoint);
  return document.toString({ lineWidth: 0 });
}

function yamlValue(text: string, key: string): string | undefined {
  const { contents } = parseDocument(text);
  const value = isMap(contents) ? contents.get(key) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the text of the kubelet's unit and its drop-ins. */
async function unitText(host: Host, unit: string): Promise<string> {
  let text = '';
  for (const directory of unitFiles) {
    text += (await host.read(`${directory}/${unit}`)) ?? '';
    for (const name of (await host.list(`${directory}/${unit}.d`)).filter((each) => each.endsWith('.conf')).toSorted())
      text += `\n${(await host.read(`${directory}/${unit}.d/${name}`)) ?? ''}`;
  }
  return text;
}

async function k3sSetup(host: Host): Promise<KubeletSetup | undefined> {
  for (const unit of ['k3s.service', 'k3s-agent.service']) {
    const text = await unitText(host, unit);
    if (text === '') continue;
    const config = await host.read(files.k3s);
    const set = config === undefined ? undefined : yamlValue(config, 'container-runtime-endpoint');
    return {
      kind: 'k3s',
      unit,
      endpoint: set ?? flagIn(text, 'runtime') ?? `unix://${files.k3sSocket}`,
      imageEndpoint: undefined,
      settings: [{ file: files.k3s, form: 'k3s', key: 'runtime' }],
      configFile: undefined,
    };
  }
  return undefined;
}

/** Returns the directory that the flag `--config-dir` in the kubelet's arguments names. */
const configDirectory = (text: string): string | undefined => /--config-dir[= ]["']?([^\s"']+)/.exec(text)?.[1];

/**
 * Returns how this host sets the kubelet's endpoints.
 * @throws Error if no kubelet is found
 */
export async function findKubelet(host: Host): Promise<KubeletSetup> {
  const k3s = await k3sSetup(host);
  if (k3s) return k3s;
  const unit = await unitText(host, 'kubelet.service');
  if (unit === '')
    throw new Error('this host has no kubelet.service and no k3s.service: install it where a kubelet runs');
  const settings: Setting[] = [];
  const values = new Map<'runtime' | 'image', string>();
  const environment = (await Promise.all(environmentFiles.map((file) => host.read(file)))).join('\n');
  const dropIns = configDirectory(`${unit}\n${environment}\n${(await host.read(files.flags)) ?? ''}`);
  const names = dropIns === undefined ? [] : (await host.list(dropIns)).filter((name) => name.endsWith('.conf'));
  const yamls = [files.config, files.instance, ...names.toSorted().map((name) => `${dropIns}/${name}`)];
  for (const file of yamls) {
    const text = await host.read(file);
    if (text === undefined) continue;
    for (const [name, key] of Object.entries(yamlKeys)) {
      const value = yamlValue(text, name);
      if (value === undefined) continue;
      settings.push({ file, form: 'yaml', key });
      values.set(key, value);
    }
  }
  for (const file of [files.flags, ...environmentFiles]) {
    const text = (await host.read(file)) ?? '';
    for (const key of ['runtime', 'image'] as const) {
      const value = flagIn(text, key);
      if (value === undefined) continue;
      settings.push({ file, form: 'flags', key });
      values.set(key, value);
    }
  }
  for (const key of ['runtime', 'image'] as const) {
    if (flagIn(unit, key) !== undefined)
      throw new Error(
        `kubelet.service itself sets --${flagNames[key]}: move it to ${files.config} first, so that it can be changed`,
      );
  }
  const config = await host.read(files.config);
  return {
    kind: (await host.read(files.flags)) === undefined ? 'systemd' : 'kubeadm',
    unit: 'kubelet.service',
    endpoint: values.get('runtime') ?? defaultEndpoint,
    imageEndpoint: values.get('image'),
    settings,
    configFile: config === undefined ? undefined : files.config,
  };
}

/** A file with its text before and after the change. `before` is undefined for a new file. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly mode?: number;
}

const yamlKeyOf = { runtime: 'containerRuntimeEndpoint', image: 'imageServiceEndpoint' } as const;

/** Returns the file changes that set the kubelet's endpoint to the relay's socket. */
export async function endpointChanges(host: Host, setup: KubeletSetup, listen: string): Promise<readonly FileChange[]> {
  const endpoint = `unix://${listen}`;
  const texts = new Map<string, { readonly before: string | undefined; after: string }>();
  const change = async (file: string, edit: (text: string) => string): Promise<void> => {
    const before = await host.read(file);
    const known = texts.get(file) ?? { before, after: before ?? '' };
    texts.set(file, { before: known.before, after: edit(known.after) });
  };
  const isWinning = setup.settings.some(({ key }) => key === 'runtime');
  const settings: readonly Setting[] = isWinning
    ? setup.settings
    : [...setup.settings, { file: setup.configFile ?? files.config, form: 'yaml', key: 'runtime' }];
  for (const { file, form, key } of settings) {
    await change(file, (text) => {
      if (form === 'flags') return withFlag(text, key, endpoint);
      return withYamlKey(text, form === 'k3s' ? 'container-runtime-endpoint' : yamlKeyOf[key], endpoint);
    });
  }
  return [...texts].map(([path, { before, after }]) => ({ path, before, after }));
}

/** The endpoints before an installation, and the path of the relay's socket that replaced them. */
interface ReplacedEndpoints {
  readonly listen: string;
  readonly endpoint: string;
  readonly imageEndpoint?: string | undefined;
}

/**
 * Returns the text of a file with the endpoints that it had before the installation in place of the relay's. An
 * endpoint that the file didn't set gets the value that the kubelet used.
 * @param before the file's text before the installation
 */
export function withEndpointsOf(text: string, before: string, replaced: ReplacedEndpoints): string {
  const { listen, endpoint, imageEndpoint = endpoint } = replaced;
  const valueOf = (key: 'runtime' | 'image'): string | undefined =>
    yamlValue(before, yamlKeyOf[key]) ?? flagIn(before, key);
  const relay = `unix://${listen}`;
  const literal = relay.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const image = new RegExp(`((?:${yamlKeyOf.image}|${flagNames.image})["']?\\s*[:= ]\\s*["']?)${literal}`, 'g');
  return text
    .replaceAll(image, (_, name: string) => `${name}${valueOf('image') ?? imageEndpoint}`)
    .replaceAll(relay, () => valueOf('runtime') ?? endpoint);
}

/** Returns the socket path of an endpoint. */
export const pathOfEndpoint = (endpoint: string): string => socketPath(endpoint);
