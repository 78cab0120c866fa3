/** Finds the files of recorded cases. The first part of a file's name determines the kind of its cases. */

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '@podscope/command-line';
import type { Release } from '@podscope/kuberuntime/testing';

/** Kinds of cases, as named in the first part of a file name. */
const kindNames = ['compute', 'sync', 'status', 'backoff', 'expansion', 'dockershim'] as const;
export type KindName = (typeof kindNames)[number];

/** A file with one recorded case per line. */
export interface VectorFile {
  readonly path: string;
  /** The name without its extensions, such as `sync-v1.36`. */
  readonly label: string;
  readonly kind: KindName;
  /** The release in the file name; undefined if each case names its own. */
  readonly release: Release | undefined;
}

export interface VectorDirectory {
  readonly files: readonly VectorFile[];
  /** Names of files of an unknown kind. */
  readonly unknown: readonly string[];
}

/** Directory of the project's own recordings. */
export const projectVectors = resolve(import.meta.dirname, '../../vectors');

/** Files beside the vectors that contain no cases. */
const companions = /^(node-v1\.(20|36)\.json|README\.md|go-speed\.(json|md))$/;
const pattern = new RegExp(`^(${kindNames.join('|')})(?:[-_.].+)?\\.jsonl(?:\\.gz)?$`);

const isKind = (name: string | undefined): name is KindName => kindNames.some((each) => each === name);

/** Returns the file of cases at a path, or undefined if its name has no known kind. */
function vectorFileOf(path: string): VectorFile | undefined {
  const name = basename(path);
  const kind = pattern.exec(name)?.[1];
  if (!isKind(kind)) return undefined;
  const release = /(?:^|[-_.])(v1\.(?:20|36))(?=[-_.])/.exec(name)?.[1];
  return {
    path,
    label: name.replace(/\.jsonl(\.gz)?$/, ''),
    kind,
    release: release === 'v1.20' || release === 'v1.36' ? release : undefined,
  };
}

/** Returns the files of recordings at a path. @throws UsageError if the path doesn't exist */
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
  return {
    files: files.toSorted(
      (a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.label < b.label ? -1 : 1),
    ),
    unknown,
  };
}
