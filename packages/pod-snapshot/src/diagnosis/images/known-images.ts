/** Contains what is known about public images: where they moved, and the user that they expect. */
import { type ImageName, nameOf } from './credentials.ts';

/** The public repositories that moved. Their old places no longer have all tags. */
const moves: readonly (readonly [from: RegExp, to: (repository: string) => string])[] = [
  [/^docker\.io\/bitnami\//, (name) => name.replace('/bitnami/', '/bitnamilegacy/')],
  [
    /^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers)\//,
    (name) => name.replace(/^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers)/, 'registry.k8s.io'),
  ],
  [/^gcr\.io\/kubebuilder\/kube-rbac-proxy$/, () => 'quay.io/brancz/kube-rbac-proxy'],
  [/^docker\.pkg\.github\.com\//, (name) => name.replace('docker.pkg.github.com', 'ghcr.io')],
  [
    /^quay\.io\/kubernetes-ingress-controller\/nginx-ingress-controller$/,
    () => 'registry.k8s.io/ingress-nginx/controller',
  ],
  [/^registry\.opensource\.zalan\.do\/acid\//, (name) => name.replace(/^.*\//, 'ghcr.io/zalando/')],
  [/^docker\.io\/jimmidyson\/configmap-reload$/, () => 'ghcr.io/jimmidyson/configmap-reload'],
];

/** Returns the place to which a public repository moved, with its registry; undefined if no move is known. */
export function movedTo({ registry, repository }: ImageName): string | undefined {
  const name = `${registry.replace(/^(?:index|registry-1)\.docker\.io$/, 'docker.io')}/${repository}`;
  return moves.find(([from]) => from.test(name))?.[1](name);
}

/** Returns true for the official image of nginx, which starts as root and listens on port 80. */
export function isRootNginx(image = ''): boolean {
  const { registry, repository } = nameOf(image);
  return /^(?:library\/)?nginx$/.test(repository) && registry === 'docker.io';
}
