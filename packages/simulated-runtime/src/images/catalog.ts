/**
 * Defines the images of the simulated registries and their programs. The images are those that teaching manifests use.
 */
import type { Signal } from '@podscope/cri';

/** An image: its configuration, size and programs. */
export interface ImageDefinition {
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly workingDir?: string;
  readonly stopSignal?: Signal;
  /** The content of the image's own files, by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The compressed size of each layer in bytes, beginning with the base layer. */
  readonly layers: readonly number[];
  /** The image's tools: busybox's, those of a distribution, or none. */
  readonly tools: 'busybox' | 'gnu' | 'none';
  /** The image's own programs. */
  readonly programs?: readonly string[];
  /** Whether all tags of the repository name the same image. */
  readonly isSameForAllTags?: boolean;
  /** Whether a command that has no simulated program runs until it is stopped. Used for images without a definition. */
  readonly anyProgram?: boolean;
}

const mb = (size: number): number => Math.round(size * 1_000_000);

const debianBase = mb(28.2);
const alpineBase = mb(3.6);

/** Returns an image that has a shell and runs no service. */
const plain = (tools: 'busybox' | 'gnu', size: number, command: string): ImageDefinition => ({
  tools,
  layers: [mb(size)],
  command: [command],
});

const pause: ImageDefinition = {
  tools: 'none',
  layers: [mb(0.3)],
  entrypoint: ['/pause'],
  programs: ['pause'],
  user: '65535:65535',
};

const interpreter = (program: string, size: number): ImageDefinition => ({
  tools: 'gnu',
  layers: [debianBase, mb(15), mb(size)],
  command: [program],
  programs: [program, 'curl', ...(program === 'python3' ? ['python'] : [])],
});

/** The definition of any image that no registry defines. It has a shell and runs any command. */
export const unknownImage: ImageDefinition = {
  tools: 'gnu',
  layers: [debianBase, mb(12), mb(0.4)],
  command: ['/app'],
  anyProgram: true,
  programs: ['curl'],
};

/** The images of docker.io, by repository path. */
export const dockerHub: Readonly<Record<string, ImageDefinition>> = {
  'library/busybox': plain('busybox', 2.2, 'sh'),
  'library/alpine': plain('busybox', 3.6, '/bin/sh'),
  'library/debian': plain('gnu', 49.6, 'bash'),
  'library/ubuntu': plain('gnu', 29.7, '/bin/bash'),
  'library/centos': plain('gnu', 83.5, '/bin/bash'),
  'library/fedora': plain('gnu', 59.1, '/bin/bash'),
  'library/bash': plain('busybox', 5.9, 'bash'),
  'library/hello-world': { tools: 'none', layers: [2_500], command: ['/hello'], programs: ['hello'] },
  'library/nginx': {
    tools: 'gnu',
    layers: [debianBase, mb(43.9), 627, 955, 404, 1_210, 1_398],
    command: ['nginx', '-g', 'daemon off;'],
    programs: ['nginx', 'nginx-debug', 'curl'],
    stopSignal: 'SIGQUIT',
    files: {
      '/usr/share/nginx/html/index.html':
        '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n<h1>Welcome to ' +
        'nginx!</h1>\n</body>\n</html>\n',
      '/usr/share/nginx/html/50x.html': '<h1>An error occurred.</h1>\n',
    },
  },
  'library/httpd': {
    tools: 'gnu',
    layers: [debianBase, 145, mb(4), mb(30.1), 293],
    command: ['httpd-foreground'],
    programs: ['httpd-foreground'],
    stopSignal: 'SIGWINCH',
  },
  'library/redis': {
    tools: 'gnu',
    layers: [debianBase, 1_100, mb(0.9), mb(16.5), 99, 573],
    command: ['redis-server'],
    programs: ['redis-server', 'redis-cli'],
    workingDir: '/data',
  },
  'library/memcached': {
    tools: 'gnu',
    layers: [debianBase, mb(1.5), 300],
    command: ['memcached'],
    programs: ['memcached'],
  },
  'library/postgres': {
    tools: 'gnu',
    layers: [debianBase, 1_200, mb(4.5), mb(1.4), mb(8), mb(112), 9_800, 128],
    command: ['postgres'],
    programs: ['postgres', 'pg_isready'],
    stopSignal: 'SIGINT',
  },
  'library/mysql': {
    tools: 'gnu',
    layers: [mb(48), 880, mb(1), mb(52), mb(60), 5_300],
    command: ['mysqld'],
    programs: ['mysqld', 'mysqladmin'],
  },
  'library/mariadb': {
    tools: 'gnu',
    layers: [mb(29.5), 1_500, mb(70), 5_300],
    command: ['mysqld'],
    programs: ['mysqld', 'mysqladmin'],
  },
  'library/mongo': {
    tools: 'gnu',
    layers: [mb(29.5), mb(1.5), mb(220), 5_000],
    command: ['mongod'],
    programs: ['mongod'],
  },
  'library/python': interpreter('python3', 55),
  'library/node': interpreter('node', 49),
  'library/perl': interpreter('perl', 130),
  'library/ruby': interpreter('ruby', 60),
  'library/php': interpreter('php', 90),
  'library/openjdk': interpreter('java', 190),
  'library/eclipse-temurin': interpreter('java', 145),
  'curlimages/curl': {
    tools: 'busybox',
    layers: [alpineBase, mb(4.5)],
    entrypoint: ['curl'],
    programs: ['curl'],
    user: '100:101',
  },
  'hashicorp/http-echo': { tools: 'none', layers: [mb(2.9)], entrypoint: ['/http-echo'], programs: ['http-echo'] },
  'traefik/whoami': { tools: 'none', layers: [mb(2.8)], entrypoint: ['/whoami'], programs: ['whoami'] },
  'polinux/stress': { tools: 'busybox', layers: [alpineBase, mb(0.7)], command: ['stress'], programs: ['stress'] },
  'vish/stress': { tools: 'none', layers: [mb(1.5)], entrypoint: ['/stress'], programs: ['stress'] },
};

/** The images of registry.k8s.io and of its former names, by repository path. */
export const kubernetesRegistry: Readonly<Record<string, ImageDefinition>> = {
  pause,
  busybox: plain('busybox', 1.4, 'sh'),
  goproxy: { tools: 'none', layers: [mb(2)], entrypoint: ['/goproxy'], programs: ['goproxy'] },
  'e2e-test-images/agnhost': {
    tools: 'busybox',
    layers: [alpineBase, mb(45)],
    entrypoint: ['/agnhost'],
    command: ['pause'],
    programs: ['agnhost'],
  },
  'e2e-test-images/busybox': plain('busybox', 2.2, 'sh'),
  'e2e-test-images/nginx': {
    tools: 'gnu',
    layers: [debianBase, mb(25)],
    command: ['nginx', '-g', 'daemon off;'],
    programs: ['nginx'],
    stopSignal: 'SIGQUIT',
  },
  'e2e-test-images/httpd': {
    tools: 'gnu',
    layers: [debianBase, mb(30)],
    command: ['httpd-foreground'],
    programs: ['httpd-foreground'],
    stopSignal: 'SIGWINCH',
  },
  'e2e-test-images/nonewprivs': {
    tools: 'busybox',
    layers: [alpineBase, mb(0.7)],
    command: ['/nnp'],
    programs: ['nnp'],
  },
};

/** Returns an image of cri-tools' validation suite. */
const criToolsImage = (user?: string): ImageDefinition => ({ ...plain('busybox', 2.2, 'sh'), ...(user && { user }) });

/** The images of gcr.io that cri-tools' validation suite (critest) needs, by repository path. */
export const criToolsImages: Readonly<Record<string, ImageDefinition>> = {
  'k8s-staging-cri-tools/test-image-user-uid': criToolsImage('1002'),
  'k8s-staging-cri-tools/test-image-user-username': criToolsImage('www-data'),
  'k8s-staging-cri-tools/test-image-user-uid-group': criToolsImage('1003:users'),
  'k8s-staging-cri-tools/test-image-user-username-group': criToolsImage('www-data:100'),
  'k8s-staging-cri-tools/test-image-tags': { ...criToolsImage(), isSameForAllTags: true },
};

/** The images of Google's samples, by repository path. */
export const googleSamples: Readonly<Record<string, ImageDefinition>> = {
  'google-samples/hello-app': {
    tools: 'none',
    layers: [mb(0.8), mb(2.6)],
    entrypoint: ['./hello-app'],
    programs: ['hello-app'],
  },
};
