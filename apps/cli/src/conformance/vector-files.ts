/** Which files hold recorded cases: known by the first part of their names. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Release } from '@podscope/kuberuntime/testing';
import { UsageError } from '../command.ts';

/** What a file's cases are, by the first part of its name. */
const kindNames = ['compute', 'sync', 'status', 'backoff', 'expansion', 'dockershim'] as const;
export type KindName = (typeof kindNames)[number];

/** A file of recorded cases, one a line. */
export interface VectorFile {
  readonly path: string;
  /** Its name without the endings: `sync-v1.36`. */
  readonly label: string;
  readonly kind: KindName;
  /** As its name has it; undefined: each case says it itself. */
  readonly release: Release | undefined;
}

export interface VectorDirectory {
  readonly files: readonly VectorFile[];
  /** Names of files that hold no cases that are known here. */
  readonly unknown: readonly string[];
}

/** The copy of the recordings that the project keeps. */
export const projectVectors = resolve(import.meta.dirname, '../../../../vectors');

/** Files that belong to vectors and hold no cases. */
const companions = /^(node-v1\.(20|36)\.json|README\.md|go-speed\.(json|md))$/;
const pattern = new RegExp(`^(${kindNames.join('|')})(?:[-_.].+)?\\.jsonl(?:\\.gz)?$`);

const isKind = (name: string | undefined): name is KindName => kindNames.some((each) => each === name);

/** The file of that name, or undefined for one that is not known. */
function vectorFileOf(path: string): VectorFile | undefined {
  const name = basename(path);
  const kind = pattern.exec(name)?.[1];
  if (!isKind(kind)) return undefined;
  const release = /(?:^|[-_.])(v1\.(?:20|36))(?=[-_.])/.exec(name)?.[1];
  return { path, label: name.replace(/\.jsonl(\.gz)?$/, ''), kind, release: release === 'v1.20' || release === 'v1.36' ? release : undefined };
}

/** @throws UsageError when there is no such directory or file */
export async function findVectorFiles(path: string): Promise<VectorDirectory> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UsageError(`there is no directory ${path}`);
  const directory = found.isDirectory() ? path : dirname(path);
  const names = found.isDirectory()
    ? (await readdir(path, { withFileTypes: true })).filter((entry) => !entry.isDirectory()).map(({ name }) => name)
    : [basename(path)];
  const files: VectorFile[] = [];
  const unknown: string[] = [];
  for (const name of names.toSorted()) {
    const file = vectorFileOf(join(directory, name));
    if (file) files.push(file);
    else if (!companions.test(name) && !name.startsWith('.')) unknown.push(name);
  }
  return { files: files.toSorted((a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.label < b.label ? -1 : 1)), unknown };
}
