/** Checkpoints on disk: one file a sandbox, written so that a crash leaves either the old one or the new one. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import { writeDurably } from '../files.ts';
import { parseCheckpoint, type SandboxCheckpoint, serializeCheckpoint } from './checkpoint.ts';

/** Keeps checkpoints. */
export interface CheckpointStore {
  create(id: string, checkpoint: SandboxCheckpoint): Promise<void>;
  /** Undefined when there is none. @throws CorruptCheckpointError */
  get(id: string): Promise<SandboxCheckpoint | undefined>;
  /** Removing a missing one is success. */
  remove(id: string): Promise<void>;
  /** Ids of all checkpoints. */
  list(): Promise<readonly string[]>;
}

const keyPattern = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const maxKeyLength = 250;

const isMissing = (error: unknown): boolean => error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';

/** A store in a directory, made if missing. Upstream: FileStore (pkg/kubelet/util/store/filestore.go, v1.20). */
export async function openCheckpointStore(directory: string): Promise<CheckpointStore> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  // What a process that was killed in the middle of writing left.
  for (const name of await readdir(directory)) if (name.startsWith('.')) await rm(join(directory, name), { force: true });
  const path = (id: string): string => {
    if (id.length > maxKeyLength || !keyPattern.test(id)) throw new CriError('InvalidArgument', `invalid key: ${goQuote(id)}`);
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
