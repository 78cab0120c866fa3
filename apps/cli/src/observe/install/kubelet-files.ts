/**
 * Finds the places that set the kubelet's runtime endpoint on a host. The kubelet reads the file of `--config`, then
 * the drop-ins in `--config-dir`, then its flags; later places override earlier ones (upstream: NewKubeletCommand in
 * cmd/kubelet/app, v1.36). It never reads instance-config.yaml: kubeadm patches config.yaml with that file when it
 * writes config.yaml at init, join and upgrade (WriteConfigToDisk, v1.36).
 */
import { socketPath } from '@podscope/cri/grpc';
import { parseDocument } from 'yaml';
import type { Host } from './host.ts';
import { k3sSetup } from './k3s-files.ts';
import {
  flagIn,
  flagNames,
  flagPattern,
  healthzNames,
  healthzUrl,
  type KubeletSetup,
  type Setting,
  unitText,
  yamlValue,
} from './kubelet-setup.ts';

const yamlKeys = { containerRuntimeEndpoint: 'runtime', imageServiceEndpoint: 'image' } as const;
const files = {
  config: '/var/lib/kubelet/config.yaml',
  instance: '/var/lib/kubelet/instance-config.yaml',
  flags: '/var/lib/kubelet/kubeadm-flags.env',
} as const;
const defaultEndpoint = 'unix:///run/containerd/containerd.sock';
const flagFiles = [files.flags, '/etc/default/kubelet', '/etc/sysconfig/kubelet'] as const;

/** Returns the text with another value of the flag. */
const withFlag = (text: string, key: 'runtime' | 'image', endpoint: string): string =>
  text.replace(flagPattern(key), (_, name: string) => `${name}${endpoint}`);

/** Returns the text of a KubeletConfiguration with another endpoint. Comments and the order of fields are kept. */
function withYamlKey(text: string, key: string, endpoint: string): string {
  const document = parseDocument(text);
  document.set(key, endpoint);
  return document.toString({ lineWidth: 0 });
}

/** Returns the last value of a flag in the kubelet's arguments. A value follows `=` or is the next argument. */
function lastFlag(args: readonly string[], name: string): string | undefined {
  const index = args.findLastIndex((each) => each === `--${name}` || each.startsWith(`--${name}=`));
  if (index === -1) return undefined;
  const text = args[index] ?? '';
  return text.includes('=') ? text.slice(text.indexOf('=') + 1) : args[index + 1];
}

/** The flags of the kubelet, and the files that set them. */
interface KubeletFlags {
  /** The value of `--config`. */
  readonly config: string | undefined;
  /** The value of `--config-dir`. */
  readonly dropIns: string | undefined;
  readonly endpoints: ReadonlyMap<'runtime' | 'image', string>;
  readonly healthz: ReadonlyMap<'address' | 'port', string>;
  readonly settings: readonly Setting[];
}

const healthzKeys = ['address', 'port'] as const;

/**
 * Returns the flags of the kubelet that runs now. If no kubelet runs, returns those of its unit's text and flag files.
 * @throws Error if a flag sets an endpoint and no flag file contains it
 */
async function kubeletFlags(host: Host, unit: string): Promise<KubeletFlags> {
  const running = await host.commandLine('kubelet.service');
  const texts = await Promise.all(flagFiles.map(async (file) => ({ file, text: (await host.read(file)) ?? '' })));
  const all = [unit, ...texts.map(({ text }) => text)].join('\n');
  const flag = (name: string): string | undefined =>
    running ? lastFlag(running, name) : new RegExp(`--${name}[= ]["']?([^\\s"']+)`).exec(all)?.[1];
  const settings: Setting[] = [];
  const endpoints = new Map<'runtime' | 'image', string>();
  for (const key of ['runtime', 'image'] as const) {
    const setting = texts.filter(({ text }) => flagIn(text, key) !== undefined);
    const value = running ? flag(flagNames[key]) : flagIn(setting.at(-1)?.text ?? unit, key);
    if (value === undefined) continue;
    if (setting.length === 0 || flagIn(unit, key) !== undefined)
      throw new Error(
        `kubelet.service itself sets --${flagNames[key]}: move it to ${flag('config') ?? files.config} first, ` +
          'so that it can be changed',
      );
    endpoints.set(key, value);
    settings.push(...setting.map(({ file }): Setting => ({ file, form: 'flags', key })));
  }
  const healthz = new Map(
    healthzKeys.flatMap((key) => {
      const value = flag(healthzNames[key].flag);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  return { config: flag('config'), dropIns: flag('config-dir'), endpoints, healthz, settings };
}

/**
 * Returns how this host sets the kubelet's endpoints.
 * @throws Error if no kubelet is found, or if no file sets the endpoint that the kubelet uses
 */
export async function findKubelet(host: Host): Promise<KubeletSetup> {
  const k3s = await k3sSetup(host);
  if (k3s) return k3s;
  const unit = await unitText(host, 'kubelet.service');
  if (unit === '')
    throw new Error(
      'this host has no kubelet.service, and no unit of k3s or RKE2: run install on a host where a kubelet runs',
    );
  const flags = await kubeletFlags(host, unit);
  const settings: Setting[] = [];
  const values = new Map<'runtime' | 'image', string>();
  const healthz = new Map<'address' | 'port', string>();
  const read = async (file: string, isUsed: boolean): Promise<void> => {
    const text = (await host.read(file)) ?? '';
    for (const [name, key] of Object.entries(yamlKeys)) {
      const value = yamlValue(text, name);
      if (value === undefined) continue;
      settings.push({ file, form: 'yaml', key });
      if (isUsed) values.set(key, value);
    }
    for (const key of isUsed ? healthzKeys : []) {
      const value = yamlValue(text, healthzNames[key].field);
      if (value !== undefined) healthz.set(key, value);
    }
  };
  const config = flags.config ?? files.config;
  await read(config, true);
  if (flags.dropIns !== undefined)
    for (const name of (await host.list(flags.dropIns)).filter((each) => each.endsWith('.conf')).toSorted())
      await read(`${flags.dropIns}/${name}`, true);
  for (const [key, value] of flags.endpoints) values.set(key, value);
  for (const [key, value] of flags.healthz) healthz.set(key, value);
  if (!values.has('runtime')) {
    if ((await host.read(config)) === undefined)
      throw new Error(
        `kubelet.service has no configuration file: start it with --config=${config}, and set ` +
          'containerRuntimeEndpoint in that file',
      );
    settings.push({ file: config, form: 'yaml', key: 'runtime' });
  }
  await read(files.instance, false);
  return {
    kind: (await host.read(files.flags)) === undefined ? 'systemd' : 'kubeadm',
    unit: 'kubelet.service',
    endpoint: values.get('runtime') ?? defaultEndpoint,
    imageEndpoint: values.get('image'),
    healthz: healthzUrl(healthz),
    settings: [...settings, ...flags.settings],
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
    // The record of the installation is text, so it couldn't restore other bytes.
    if (before?.includes('\uFFFD')) throw new Error(`${file} is not valid UTF-8: correct it first`);
    const known = texts.get(file) ?? { before, after: before ?? '' };
    texts.set(file, { before: known.before, after: edit(known.after) });
  };
  for (const { file, form, key } of setup.settings) {
    await change(file, (text) => {
      if (form === 'flags') return withFlag(text, key, endpoint);
      if (form === 'yaml') return withYamlKey(text, yamlKeyOf[key], endpoint);
      return `${text === '' ? 'kubelet-arg+:\n' : text}  - ${flagNames[key]}=${endpoint}\n`;
    });
  }
  return [...texts].map(([path, { before, after }]) => ({
    path,
    before,
    after,
    ...(before === undefined ? { mode: 0o644 } : {}),
  }));
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
