/**
 * Checks hostPath volumes. Creates a missing path only if the volume's type requests it. Upstream: pkg/volume/hostpath
 * (v1.36).
 */
import type { Volume } from '@podscope/k8s';
import type { OSInterface } from '@podscope/kuberuntime';

const names: Readonly<Record<string, string>> = {
  directory: 'directory',
  file: 'file',
  socket: 'socket file',
  characterDevice: 'character device',
  blockDevice: 'block device',
};

const wanted: Readonly<Record<string, string>> = {
  Directory: 'directory',
  DirectoryOrCreate: 'directory',
  File: 'file',
  FileOrCreate: 'file',
  Socket: 'socket',
  CharDevice: 'characterDevice',
  BlockDevice: 'blockDevice',
};

/**
 * Checks a hostPath volume and creates the path if its type requests it.
 * @throws Error when the path doesn't match the type
 */
export async function setUpHostPath(
  os: OSInterface,
  { path, type = '' }: NonNullable<Volume['hostPath']>,
): Promise<void> {
  if (path.split('/').includes('..')) throw new Error(`invalid HostPath \`${path}\`: must not contain '..'`);
  if (type === '') return;
  const kind = wanted[type];
  if (kind === undefined) throw new Error(`${type} is an invalid volume type`);
  if (!(await os.exists(path))) {
    if (type === 'DirectoryOrCreate') return os.mkdirAll(path, 0o755);
    if (type === 'FileOrCreate') return os.writeFile(path, '', 0o644);
  }
  const found = os.fileType ? await os.fileType(path) : (await os.exists(path)) ? kind : undefined;
  if (found !== kind) throw new Error(`hostPath type check failed: ${path} is not a ${names[kind] ?? kind}`);
}
