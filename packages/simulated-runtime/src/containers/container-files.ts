/** Builds the file system and the log path of a container from its configuration, its image and its sandbox. */
import { type ContainerConfig, CriError, type NamespaceOption, resolvConf } from '@podscope/cri';
import type { ImageDefinition } from '../images/catalog.ts';
import { type FileMount, FileSystem, resolvePath } from '../machine/file-system.ts';
import type { HostFiles } from '../machine/host-files.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';
import { group, passwd } from './users.ts';

/** Devices that only a privileged container has. */
const hostDevices = ['/dev/fuse', '/dev/kmsg', '/dev/loop-control', '/dev/sda'];

/**
 * Returns the absolute path of a container's log file; empty when the configuration names no log file.
 * @throws CriError when the path leads out of the pod's log directory
 */
export function logPathOf(directory: string | undefined, path: string): string {
  const root = resolvePath('/', directory ?? '');
  const resolved = resolvePath(root, path);
  if (path && !resolved.startsWith(`${root === '/' ? '' : root}/`))
    throw new CriError(
      'InvalidArgument',
      `log path ${JSON.stringify(path)} leads out of the log directory ${directory}`,
    );
  return directory && path ? resolved : '';
}

/** Returns the bind mounts of a container with absolute paths. */
export const fileMountsOf = ({ mounts = [] }: ContainerConfig): readonly FileMount[] =>
  mounts.flatMap(({ containerPath, hostPath, readonly, recursiveReadOnly }) =>
    hostPath
      ? [
          {
            containerPath: resolvePath('/', containerPath),
            hostPath: resolvePath('/', hostPath),
            readonly: readonly ?? false,
            isRecursive: recursiveReadOnly ?? false,
          },
        ]
      : [],
  );

/** An image whose file system is mounted into a container. */
export interface ImageVolume {
  readonly containerPath: string;
  readonly definition: ImageDefinition;
  /** The directory of the image to mount; `/` for the whole image. */
  readonly subPath: string;
}

/**
 * Returns the kernel tables that `ipcs` and `netstat` read. A container that shares the node's namespace sees the
 * node's tables.
 */
function sharedKernelFiles({ ipc, network }: NamespaceOption): readonly FileMount[] {
  const shared = [...(ipc === 'NODE' ? ['/proc/sysvipc'] : []), ...(network === 'NODE' ? ['/proc/net'] : [])];
  return shared.map((path) => ({ containerPath: path, hostPath: path, readonly: true, isRecursive: true }));
}

/** The facts about a container that {@link containerFileSystem} needs. */
interface ContainerFilesOptions {
  readonly hostFiles: HostFiles;
  readonly mounts: readonly FileMount[];
  readonly imageVolumes: readonly ImageVolume[];
  readonly config: ContainerConfig;
  readonly image: ImageDefinition;
  readonly sandbox: SimulatedSandbox;
  readonly isRoot: boolean;
}

/** Returns the file system of a container: the image's files, the files the engine generates, and the mounts. */
export function containerFileSystem({
  hostFiles,
  mounts,
  imageVolumes,
  config,
  image,
  sandbox,
  isRoot,
}: ContainerFilesOptions): FileSystem {
  const {
    readonlyRootfs: readonlyRoot,
    privileged = false,
    maskedPaths = [],
    readonlyPaths = [],
  } = config.linux?.securityContext ?? {};
  const namespaces = config.linux?.securityContext?.namespaceOptions ?? sandbox.namespaceOptions;
  const files = new FileSystem(hostFiles, [...sharedKernelFiles(namespaces), ...mounts], {
    readonlyRoot,
    isRoot,
    ...(!privileged && { maskedPaths }),
    readonlyPaths: [...(privileged ? [] : readonlyPaths), ...imageVolumes.map(({ containerPath }) => containerPath)],
    devices: [...(config.devices ?? []).map(({ containerPath }) => containerPath), ...(privileged ? hostDevices : [])],
  });
  const dns = resolvConf(sandbox.config.dnsConfig ?? {});
  const generated = {
    '/etc/passwd': passwd,
    '/etc/group': group,
    '/etc/hostname': `${sandbox.hostname}\n`,
    '/etc/hosts': `127.0.0.1\tlocalhost\n`,
    '/etc/resolv.conf': dns === '' ? 'nameserver 127.0.0.53\n' : dns,
  };
  for (const [path, content] of Object.entries({ ...generated, ...image.files })) files.seed(path, content);
  for (const { containerPath, definition, subPath } of imageVolumes) {
    const directory = subPath === '/' ? '' : subPath;
    for (const [path, content] of Object.entries(definition.files ?? {}))
      if (path.startsWith(`${directory}/`)) files.seed(containerPath + path.slice(directory.length), content);
    files.seed(`${containerPath}/.image`, '');
  }
  return files;
}
