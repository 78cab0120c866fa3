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

/** An option in a configuration file or drop-in. */
interface FileOption {
  readonly name: string;
  readonly values: readonly string[];
  /** True if the key ends in `+`: the values then follow those of earlier files instead of replacing them. */
  readonly isAppended: boolean;
}

function optionsIn(text: string): readonly FileOption[] {
  const content: unknown = parseDocument(text).toJS();
  if (!isRecord(content)) return [];
  return Object.entries(content).map(([key, value]) => ({
    name: key.replace(/\+$/, ''),
    values: (Array.isArray(value) ? value : [value]).map(String),
    isAppended: key.endsWith('+'),
  }));
}

/** Returns the last value of an option on a command line or in an environment file. */
const optionOf = (text: string, pattern: RegExp): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1];

/**
 * Returns the values of each option in a configuration file and its drop-ins. An option replaces that of an earlier
 * file, lists included. If its key ends in `+`, its values are appended instead. Upstream: readConfigFile in
 * pkg/configfilearg (k3s).
 * @throws Error if an argument for the kubelet sets an endpoint, or would override the relay's
 */
async function readOptions(host: Host, file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const directory = `${file}.d`;
  const dropIns = (await host.list(directory)).filter((each) => /\.ya?ml$/i.test(each)).toSorted();
  const options = new Map<string, readonly string[]>();
  for (const path of [file, ...dropIns.map((each) => `${directory}/${each}`)]) {
    const isAfterOwn = path !== file && path > `${directory}/${ownDropIn}`;
    for (const { name, values, isAppended } of optionsIn((await host.read(path)) ?? '')) {
      if (name === 'kubelet-arg') {
        const own = values.find((each) => Object.values(flagNames).some((flag) => each.includes(`${flag}=`)));
        if (own !== undefined) throw new Error(`${path} sets the kubelet's argument ${own}: remove it first`);
        if (isAfterOwn && !isAppended)
          throw new Error(`${path} replaces kubelet-arg of earlier files: give it a name before ${ownDropIn} first`);
      }
      options.set(name, isAppended ? [...(options.get(name) ?? []), ...values] : values);
    }
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
