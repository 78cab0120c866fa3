/**
 * Stores one checkpoint file per sandbox. If the process crashes during a write, the file has either its old or its new
 * content. Upstream: FileStore (pkg/kubelet/util/store/filestore.go, v1.20).
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CriError } from '@podscope/cri';
import { parseCheckpoint, type SandboxCheckpoint, serializeCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import { goQuote } from '@podscope/k8s/go-quote';
import { writeDurably } from '../engine/local-files.ts';

/** Stores checkpoints by sandbox id. */
export interface CheckpointStore {
  create(id: string, checkpoint: SandboxCheckpoint): Promise<void>;
  /**
   * Returns the checkpoint of a sandbox; undefined if the sandbox has no checkpoint.
   * @throws CorruptCheckpointError for an unreadable checkpoint
   */
  get(id: string): Promise<SandboxCheckpoint | undefined>;
  /** Removes the checkpoint of a sandbox, if it has one. */
  remove(id: string): Promise<void>;
  /** Returns the ids of all sandboxes with a checkpoint. */
  list(): Promise<readonly string[]>;
}

const keyPattern = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const maxKeyLength = 250;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Opens the store in a directory. Creates the directory if it is missing. */
export async function openCheckpointStore(directory: string): Promise<CheckpointStore> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  // Removes the temporary files of processes that were killed during a write.
  for (const name of await readdir(directory))
    if (name.startsWith('.')) await rm(join(directory, name), { force: true });
  const path = (id: string): string => {
    if (id.length > maxKeyLength || !keyPattern.test(id))
      throw new CriError('InvalidArgument', `invalid key: ${goQuote(id)}`);
    return join(directory, id);
  };
  return {
    async create(id, checkpoint) {
      await writeDurably(path(id), serializeCheckpoint(checkpoint), `.${id}`);
    },
    async get(id) {
      const text = await readFile(path(id), 'utf8').catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      return text === undefined ? undefined : parseCheckpoint(text);
    },
    async remove(id) {
      await rm(path(id), { force: true });
    },
    async list() {
      return (await readdir(directory)).filter((name) => !name.startsWith('.'));
    },
  };
}
