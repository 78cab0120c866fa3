/**
 * Finds how k3s and RKE2 start their kubelet. They pass it `kubelet-arg` after their own settings, so this is where the
 * relay's endpoint goes. Their `container-runtime-endpoint` must stay as it is: with it, k3s expects a runtime that
 * is started by something else, and doesn't start its containerd (upstream: startCRI in pkg/agent/run.go).
 */
import { isRecord } from '@podscope/base';
import { parseDocument } from 'yaml';
import type { Host } from './host.ts';
import { flagNames, healthzNames, healthzUrl, type KubeletSetup, unitText } from './kubelet-setup.ts';

const units = [
  { unit: 'k3s.service', kind: 'k3s' },
  { unit: 'k3s-agent.service', kind: 'k3s' },
  { unit: 'rke2-server.service', kind: 'RKE2' },
  { unit: 'rke2-agent.service', kind: 'RKE2' },
] as const;
const sockets = {
  containerd: 'unix:///run/k3s/containerd/containerd.sock',
  docker: 'unix:///run/k3s/cri-dockerd/cri-dockerd.sock',
} as const;
/** Matches an argument that sets one of the kubelet's endpoints, in the text of a unit. */
const kubeletEndpoint = new RegExp(`kubelet-arg["'\\s=]+(?:--)?(?:${Object.values(flagNames).join('|')})=`);
/** The name of the drop-in that `install` writes. Drop-ins are read in the order of their names. */
const ownDropIn = 'zz-podscope.yaml';

/** Returns the options that a configuration file or drop-in sets. A `+` at the end of a name appends to a list. */
function optionsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const content: unknown = parseDocument(text).toJS();
  if (!isRecord(content)) return new Map();
  return new Map(
    Object.entries(content).map(([name, value]) => [
      name.replace(/\+$/, ''),
      (Array.isArray(value) ? value : [value]).map(String),
    ]),
  );
}

/** Returns the last value of an option on a command line or in an environment file. */
const optionOf = (text: string, pattern: RegExp): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1];

/**
 * Returns the options of a configuration file and of its drop-ins. The last value of each is the one that is used,
 * except for lists.
 * @throws Error if an argument for the kubelet sets an endpoint, or would override the relay's
 */
async function readOptions(host: Host, file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const directory = `${file}.d`;
  const dropIns = (await host.list(directory)).filter((each) => /\.ya?ml$/i.test(each)).toSorted();
  const options = new Map<string, readonly string[]>();
  for (const path of [file, ...dropIns.map((each) => `${directory}/${each}`)]) {
    const found = optionsIn((await host.read(path)) ?? '');
    const args = found.get('kubelet-arg');
    const own = args?.find((each) => Object.values(flagNames).some((flag) => each.includes(`${flag}=`)));
    if (own !== undefined) throw new Error(`${path} sets the kubelet's argument ${own}: remove it first`);
    if (args && path > `${directory}/${ownDropIn}` && path !== file)
      throw new Error(`${path} overrides kubelet-arg of earlier files: give it a name before ${ownDropIn} first`);
    for (const [option, values] of found) options.set(option, [...(options.get(option) ?? []), ...values]);
  }
  return options;
}

/**
 * Returns how k3s or RKE2 sets the kubelet's endpoints on this host, or undefined if neither runs here.
 * @throws Error if an argument for the kubelet already sets an endpoint, or would override the relay's
 */
export async function k3sSetup(host: Host): Promise<KubeletSetup | undefined> {
  for (const { unit, kind } of units) {
    const text = await unitText(host, unit);
    if (text === '') continue;
    const name = kind.toLowerCase();
    const service = unit.replace('.service', '');
    const environment = await Promise.all(
      [`/etc/default/${service}`, `/etc/sysconfig/${service}`, `/etc/systemd/system/${unit}.env`].map(
        async (path) => (await host.read(path)) ?? '',
      ),
    );
    const file =
      optionOf([...environment, text].join('\n'), /(?:_CONFIG_FILE=|--config[= ])["']?([^\s"']+)/g) ??
      `/etc/rancher/${name}/config.yaml`;
    const options = await readOptions(host, file);
    if (kubeletEndpoint.test(text))
      throw new Error(`${unit} passes the kubelet an endpoint with --kubelet-arg: remove it first`);
    const valueOf = (option: string): string | undefined =>
      optionOf(text, new RegExp(`--${option}["'\\s=\\\\]+([^\\s"']+)`, 'g')) ?? options.get(option)?.at(-1);
    const usesDocker = /--docker\b(?!["'\s=]+false)/.test(text) || options.get('docker')?.at(-1) === 'true';
    const imageEndpoint = valueOf(flagNames.image);
    const dropIn = `${file}.d/${ownDropIn}`;
    const kubeletArgs = [...(options.get('kubelet-arg') ?? []), text].join('\n');
    const healthz = (['address', 'port'] as const).flatMap((key) => {
      const value = optionOf(kubeletArgs, new RegExp(`${healthzNames[key].flag}=([^\\s"']+)`, 'g'));
      return value === undefined ? [] : [[key, value] as const];
    });
    return {
      kind,
      unit,
      endpoint: valueOf(flagNames.runtime) ?? (usesDocker ? sockets.docker : sockets.containerd),
      imageEndpoint,
      healthz: healthzUrl(new Map(healthz)),
      settings: [
        { file: dropIn, form: 'kubelet-arg', key: 'runtime' },
        ...(imageEndpoint === undefined ? [] : [{ file: dropIn, form: 'kubelet-arg', key: 'image' } as const]),
      ],
    };
  }
  return undefined;
}
