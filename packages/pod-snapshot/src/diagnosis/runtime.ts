/** Finds the container runtime of a pod's node, and the commands, files and services that belong to it. */
import type { ContainerCase, PodCase } from './pod-case.ts';

type Runtime = 'docker' | 'containerd' | 'cri-o';

/** Patterns of the error messages of each runtime, for a pod without a container id. */
const wordings: readonly (readonly [RegExp, Runtime])[] = [
  [/Error response from daemon/, 'docker'],
  [/failed to pull and unpack image|failed to create containerd|containerd task/, 'containerd'],
  [/initializing source docker:|reading manifest \S+ in |choosing image instance|crun: |CRI-O/, 'cri-o'],
];

/** Returns the container runtime of the pod's node; undefined if nothing names it. */
function runtimeOf({ pod, cluster, containers, events }: PodCase): Runtime | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const id = [...containerStatuses, ...initContainerStatuses].find(({ containerID }) => containerID)?.containerID;
  const named = /^(?<runtime>docker|containerd|cri-o):/.exec(id ?? '')?.groups?.['runtime'];
  if (named === 'docker' || named === 'containerd' || named === 'cri-o') return named;
  if (cluster.runtime === 'docker') return 'docker';
  const words = [...containers.map(({ waiting }) => waiting?.message ?? ''), ...events.map(({ message }) => message)];
  return wordings.find(([pattern]) => words.some((text) => pattern.test(text)))?.[1];
}

/** Returns the program on the node that lists containers of its runtime. */
export const runtimeTool = (it: PodCase): 'docker' | 'crictl' => (runtimeOf(it) === 'docker' ? 'docker' : 'crictl');

/** Matches the messages of registries that limit the pulls of a node's address. */
const refused = /toomanyrequests|429 Too Many Requests|pull rate limit/i;

/** Returns a command that runs on the pod's node. Characters that the node's shell would interpret are quoted. */
export function onNode({ node, cluster, containers }: PodCase, command: string): string {
  if (cluster.isThisMachine) return command;
  const inner = /\$\(|\|/.test(command) && !command.startsWith('sh -c ') ? `sh -c '${command}'` : command;
  // A registry that refuses the node would refuse the image of the debug pod as well.
  if (
    containers.some(
      ({ waiting }) => /PullBackOff|ErrImagePull/.test(waiting?.reason ?? '') && refused.test(waiting?.message ?? ''),
    )
  )
    return `ssh ${node} '${`sudo ${inner}`.replaceAll("'", String.raw`'\''`)}'`;
  return `kubectl debug node/${node} -it --profile=sysadmin --image=busybox:1.36 -- chroot /host ${inner}`;
}

/** Returns the option of journalctl that selects the log of the node's runtime. */
export const journalUnits = (it: PodCase): string =>
  ({ docker: '-u docker', containerd: '-u containerd', 'cri-o': '-u crio' })[runtimeOf(it) ?? 'containerd'] +
  (runtimeOf(it) === undefined ? ' -u crio' : '');

/** Returns the name of the runtime's systemd service. */
export const runtimeService = (it: PodCase): string =>
  ({ docker: 'docker', containerd: 'containerd', 'cri-o': 'crio' })[runtimeOf(it) ?? 'containerd'];

/** Returns the distribution of the node if it configures the registries of its runtime itself; undefined for others. */
export const rancherOf = ({ node, cluster }: PodCase): 'k3s' | 'rke2' | undefined =>
  /[+]k3s|[-\s]k3[sd]\b/.test(`${cluster.node?.kubeletVersion ?? ''} ${node}`)
    ? 'k3s'
    : /[+]rke2|[-\s]rke2\b/.test(`${cluster.node?.kubeletVersion ?? ''} ${node}`)
      ? 'rke2'
      : undefined;

/** Returns the directory in which the node's runtime looks for certificates of a registry. */
export const certificatesOf = (it: PodCase, registry: string): string =>
  ({ docker: '/etc/docker', containerd: '/etc/containerd', 'cri-o': '/etc/containers' })[
    runtimeOf(it) ?? 'containerd'
  ] + `/certs.d/${registry}`;

/** Returns the file with the settings of registries and mirrors of the node's runtime. */
export function registrySettings(it: PodCase, registry: string): string {
  const rancher = rancherOf(it);
  if (rancher) return `/etc/rancher/${rancher}/registries.yaml`;
  return {
    docker: '/etc/docker/daemon.json',
    containerd: `/etc/containerd/certs.d/${registry}/hosts.toml`,
    'cri-o': '/etc/containers/registries.conf',
  }[runtimeOf(it) ?? 'containerd'];
}

/** Returns the command that copies an image from the reader's machine to the pod's node. */
export function loadImage(it: PodCase, image: string): string {
  const { node } = it;
  const kind = /^(?<cluster>[\w-]+?)-(?:control-plane\d*|worker\d*)$/.exec(node)?.groups?.['cluster'];
  const k3d = /^k3d-(?<cluster>[\w-]+)-(?:server|agent)-\d+$/.exec(node)?.groups?.['cluster'];
  if (/^minikube(?:-m\d+)?$/.test(node)) return `minikube image load ${image}`;
  if (k3d !== undefined) return `k3d image import ${image} -c ${k3d}`;
  if (kind !== undefined) return `kind load docker-image ${image} --name ${kind}`;
  if (runtimeOf(it) === 'docker') return `docker save ${image} | ssh ${node} docker load`;
  return runtimeOf(it) === 'cri-o'
    ? `docker save ${image} | ssh ${node} sudo podman load`
    : `docker save ${image} | ssh ${node} sudo ctr -n k8s.io images import -`;
}

/**
 * Returns the command that runs a command in the image of a container, in a pod of its own. An empty command runs the
 * image's own program. The pod's pull secrets are passed on.
 */
export function inImage(
  { kubectl, pod: { spec } }: PodCase,
  { name, spec: { image = '' } }: ContainerCase,
  command: string,
): string {
  const secrets = (spec.imagePullSecrets ?? []).flatMap((each) => (each.name ? [{ name: each.name }] : []));
  const overrides =
    secrets.length === 0 ? '' : ` --overrides='${JSON.stringify({ spec: { imagePullSecrets: secrets } })}'`;
  const words = command === '' ? '' : ` --command -- ${command}`;
  return kubectl(`run ${name}-look --rm -i --restart=Never --image=${image}${overrides}${words}`);
}
