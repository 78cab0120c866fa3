/** Declares the options of the server in one table, from which the parser and `--help` are generated. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { PodSecurityLevel } from '@podscope/apiserver';
import { networkPlugins } from '@podscope/dockershim';
import { defaultImageGCPolicy } from '@podscope/kubelet';
import { z } from 'zod';
import { defaultRunsAge, defaultRunsSize } from '../store/store-limits.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .refine((text) => Number(text) <= 65_535);
const percent = z.string().regex(/^([1-9]\d?|100)$/);
/** Matches text whose characters are allowed in a Host header and in a URL. */
const hostPattern = /^[a-zA-Z0-9._:-]+$/;
/** A DNS-1123 subdomain, the format of node names. */
const nodeNamePattern = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
/** Matches tokens whose characters need no escaping in a header, a cookie or a URL. */
const tokenPattern = /^[A-Za-z0-9._~-]{8,256}$/;

/** One option: its name, its help text, and how its value is validated. */
export interface OptionDefinition {
  readonly name: string;
  /** The placeholder of the value in `--help`. Absent for an option without a value. */
  readonly value?: string;
  readonly fallback?: (environment: Readonly<Record<string, string | undefined>>) => string;
  /** The environment variable that sets the same value. */
  readonly variable?: string;
  /** The text that `--help` shows as the default, if it differs from the default. */
  readonly shownDefault?: string;
  readonly help: string;
  readonly schema?: z.ZodType;
  /** Describes valid values, for the error message. */
  readonly expected?: string;
}

/** Returns `$XDG_STATE_HOME/podscope`, or `~/.local/state/podscope` if the variable isn't set. */
export function defaultStateDir(environment: Readonly<Record<string, string | undefined>>): string {
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'podscope');
}

/** The values of `--runs-size`, here and in `observe`. */
export const runsSizeValues = {
  schema: z.string().regex(/^[1-9]\d{0,6}$/),
  expected: 'a number of MiB from 1 to 9999999',
};

/** All options, in the order of `--help`. */
export const optionDefinitions = [
  {
    name: 'runtime',
    value: 'auto|docker|sim|unix:///…',
    fallback: () => 'auto',
    help:
      'The container runtime: Docker, the embedded simulator, or any CRI runtime at a socket ' +
      '(unix:///run/containerd/containerd.sock). auto selects Docker if its socket answers.',
    schema: z.union([z.enum(['auto', 'docker', 'sim']), z.string().regex(/^unix:\/\/\/[^/]/)]),
    expected: 'auto, docker, sim or unix:///path/of/a.sock',
  },
  {
    name: 'cri-over-grpc',
    help:
      'Run dockershim in a process of its own. The kubelet calls it with CRI over gRPC, as it calls any CRI runtime. ' +
      'Its steps and its Docker and CNI calls stay in the same timeline.',
  },
  {
    name: 'port',
    value: 'PORT',
    fallback: () => '4400',
    help: 'Port to listen on; 0 chooses a free port.',
    schema: port,
    expected: 'a port number from 0 to 65535',
  },
  {
    name: 'host',
    value: 'ADDRESS',
    fallback: () => '127.0.0.1',
    help:
      'Address to listen on. Clients of this server can run containers. So an address other than loopback needs two ' +
      'things: a --token of your own with at least 16 characters, and either --tls-cert with --tls-key or ' +
      '--insecure. --class needs neither. With 0.0.0.0 or ::, the printed link and the kubeconfig have the first ' +
      'name in the certificate of --tls-cert, or without that certificate 127.0.0.1.',
    schema: z.string().regex(hostPattern),
    expected: 'an IP address or a host name',
  },
  {
    name: 'token',
    value: 'TOKEN',
    shownDefault: 'a random one per start',
    variable: 'PODSCOPE_TOKEN',
    help:
      'The secret that clients send. It can also be in the variable PODSCOPE_TOKEN: other users of a machine can ' +
      'read the command lines of programs, but not their variables.',
    schema: z.string().regex(tokenPattern),
    expected: '8 to 256 letters, digits or -._~',
  },
  { name: 'tls-cert', value: 'FILE', help: 'Certificate chain (PEM). With it, the server accepts only HTTPS.' },
  { name: 'tls-key', value: 'FILE', help: 'Private key (PEM) of that certificate.' },
  {
    name: 'insecure',
    help:
      'Permit plain HTTP at an address other than loopback, in place of --tls-cert. Anyone who can read the ' +
      'network’s traffic can then read the token and run pods. If pods may be privileged, they can take over this ' +
      'machine.',
  },
  { name: 'read-only', help: 'Reject changes by clients, for example on a projector. The node itself works as usual.' },
  { name: 'show-secrets', help: 'Show values of Secrets in traces, variables and exports instead of masking them.' },
  {
    name: 'state-dir',
    value: 'DIR',
    fallback: defaultStateDir,
    shownDefault: '$XDG_STATE_HOME/podscope or ~/.local/state/podscope',
    help: 'Directory for pods, certificates and the kubeconfig. Only one server can use it at a time.',
  },
  {
    name: 'runs-size',
    value: 'MIB',
    fallback: () => String(defaultRunsSize),
    help: 'The space for all recorded runs together. Above it, the oldest runs are deleted, but never the current one.',
    ...runsSizeValues,
  },
  {
    name: 'runs-age',
    value: 'DAYS',
    fallback: () => String(defaultRunsAge),
    help: 'How long recorded runs are kept.',
    schema: z.string().regex(/^[1-9]\d{0,4}$/),
    expected: 'a number of days from 1 to 99999',
  },
  {
    name: 'manifest-dir',
    value: 'DIR',
    help: 'A directory of static pod manifests (YAML or JSON), watched for changes.',
  },
  {
    name: 'manifest-url',
    value: 'URL',
    help: 'URL of a static pod or a list of static pods (YAML or JSON), read every 20 seconds.',
    schema: z.url({ protocol: /^https?$/ }),
    expected: 'an http or https URL',
  },
  {
    name: 'profile',
    value: 'v1.36|v1.20',
    fallback: () => 'v1.36',
    help: 'The release whose behavior the kubelet has: a current one, or one with dockershim.',
    schema: z.enum(['v1.36', 'v1.20']),
    expected: 'v1.36 or v1.20',
  },
  {
    name: 'feature-gates',
    value: 'NAME=BOOL,…',
    help:
      'Feature gates of the release that differ from its defaults. EphemeralContainers=true adds the step that ' +
      'starts ephemeral containers to v1.20.',
  },
  {
    name: 'pod-cgroups',
    value: 'auto|on|off',
    fallback: () => 'auto',
    help:
      'Whether each pod gets its own cgroup (/kubepods/…). With auto, it does if this process is root, the engine ' +
      'is local, and no other kubelet runs; while pods exist, this choice stays the same.',
    schema: z.enum(['auto', 'on', 'off']),
    expected: 'auto, on or off',
  },
  {
    name: 'node-name',
    value: 'NAME',
    fallback: () => 'podscope',
    help: 'Name of the node the pods run on.',
    schema: z.string().regex(nodeNamePattern),
    expected: 'a name of lower case letters, digits, - and .',
  },
  {
    name: 'sandbox-image',
    value: 'IMAGE',
    shownDefault: 'the runtime’s',
    help: 'Image of the pause container that holds a pod’s sandbox.',
    schema: z.string().min(1),
    expected: 'an image name',
  },
  {
    name: 'image-gc',
    value: 'off|pulled|all',
    fallback: () => 'off',
    help:
      'Which unused images are deleted when the engine’s disk is nearly full: with off none, because they may be ' +
      'yours; with pulled those that this server pulled itself; with all each that no pod here uses.',
    schema: z.enum(['off', 'pulled', 'all']),
    expected: 'off, pulled or all',
  },
  {
    name: 'image-gc-high-threshold',
    value: 'PERCENT',
    fallback: () => String(defaultImageGCPolicy.highThresholdPercent),
    help: 'With --image-gc: disk usage from which images are deleted.',
    schema: percent,
    expected: 'a number from 1 to 100',
  },
  {
    name: 'image-gc-low-threshold',
    value: 'PERCENT',
    fallback: () => String(defaultImageGCPolicy.lowThresholdPercent),
    help: 'With --image-gc: disk usage down to which images are deleted.',
    schema: percent,
    expected: 'a number from 1 to 100',
  },
  {
    name: 'network-plugin',
    value: 'docker|none|cni',
    fallback: () => 'docker',
    help:
      'How pods on Docker are connected: docker uses Docker’s bridge, none connects them to nothing, and cni calls ' +
      'CNI plugins, for which it needs root and a local engine.',
    schema: z.enum(networkPlugins),
    expected: 'docker, none or cni',
  },
  {
    name: 'cni-conf-dir',
    value: 'DIR',
    fallback: () => '/etc/cni/net.d',
    help: 'Directory of the CNI configurations; the first valid one is used.',
  },
  {
    name: 'cni-bin-dir',
    value: 'DIR,…',
    fallback: () => '/opt/cni/bin,/usr/lib/cni',
    help: 'Directories of the CNI plugins, searched in this order.',
  },
  {
    name: 'kubeconfig',
    value: 'FILE',
    help:
      'Show the pods of a real cluster instead of running pods: read-only, from their status and events, ' +
      'on 127.0.0.1 only.',
  },
  {
    name: 'context',
    value: 'NAME',
    shownDefault: 'the current one',
    help: 'With --kubeconfig: which of its contexts.',
  },
  {
    name: 'namespace',
    value: 'NAME',
    shownDefault: 'all namespaces',
    help: 'With --kubeconfig: only the pods of this namespace.',
  },
  {
    name: 'class',
    help:
      'Serve a class instead of a node: learners open the join link and run simulated nodes in their browsers. ' +
      'Listens on all addresses unless --host says otherwise. docs/learn/classroom.md',
  },
  {
    name: 'class-site',
    value: 'URL',
    help: 'With --class and --tls-cert: the static site (build:site) from which learners load the page.',
    schema: z.url({ protocol: /^https?$/ }),
    expected: 'an http or https URL',
  },
  {
    name: 'keep-pods',
    help:
      'Leave pods and their containers running when the server stops; the next start adopts them. Without it, ' +
      'Ctrl+C terminates and removes them.',
  },
  {
    name: 'simulation',
    value: 'FILE',
    help:
      'A file (YAML or JSON) that describes the simulated node: images, registries, container behavior, times, ' +
      'failures. docs/use/simulator.md lists its fields.',
  },
  {
    name: 'snapshot',
    value: 'FILE',
    help:
      'Continue a pod of another cluster in the simulator. FILE has the output of `kubectl get pod NAME -o yaml`, ' +
      'and can also have the pod’s events, as another document after a line `---`. If FILE has several pods, the ' +
      'first one is continued.',
  },
  {
    name: 'faults',
    value: 'FILE',
    help: 'A fault plan (YAML) to apply from the start; docs/use/debugging.md lists its fields.',
  },
  {
    name: 'on-disconnect',
    value: 'release|keep',
    fallback: () => 'release',
    help:
      'What happens when the last client of the debugger disconnects. With release, stopped threads continue, and no ' +
      'thread stops until a client connects again. With keep, threads stay stopped, and breakpoints still stop ' +
      'threads.',
    schema: z.enum(['release', 'keep']),
    expected: 'release or keep',
  },
  {
    name: 'probes-of-stopped-pods',
    value: 'missed|held|made',
    fallback: () => 'missed',
    help:
      'Probes of a pod that the debugger has stopped: missed records them as missed, held delays them until the pod ' +
      'continues, and made sends them as usual.',
    schema: z.enum(['missed', 'held', 'made']),
    expected: 'missed, held or made',
  },
  {
    name: 'pod-security',
    value: 'privileged|baseline|restricted',
    fallback: () => 'baseline',
    help: 'The level of the Pod Security Standards that all pods must meet, from every source.',
    schema: z.enum(['privileged', 'baseline', 'restricted'] satisfies readonly PodSecurityLevel[]),
    expected: 'privileged, baseline or restricted',
  },
  {
    name: 'allow-privileged',
    help: 'Permit privileged containers, added capabilities and other settings that lift confinement.',
  },
  { name: 'allow-host-path', help: 'Permit hostPath volumes.' },
  {
    name: 'allow-host-namespaces',
    help: 'Permit hostNetwork, hostPID, hostIPC, host ports, and probes of hosts other than the pod.',
  },
  { name: 'open', help: 'Open the page in the browser once the server listens.' },
  { name: 'no-build', help: 'Serve the last build of the page, even if its sources have changed.' },
  {
    name: 'log-level',
    value: 'LEVEL',
    fallback: () => 'warn',
    help: 'The lowest level that is written to stderr: trace, debug, info, warn, error or silent.',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    expected: 'trace, debug, info, warn, error or silent',
  },
  { name: 'version', help: 'Print the version and stop.' },
  { name: 'help', help: 'Print this help and stop.' },
] as const satisfies readonly OptionDefinition[];
