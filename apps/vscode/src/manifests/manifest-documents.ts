/** Reads manifests that are open in editors. Copies those that aren't saved as files on this machine. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type FoundPod, findPods } from './find-pods.ts';

/** VS Code's ids of the languages in which manifests are written. */
export const manifestLanguages = ['yaml', 'json', 'jsonc'] as const;

/**
 * Returns the path of a workspace folder; undefined without a folder, or if it isn't a directory of this machine.
 */
export const folderOf = (folder: vscode.WorkspaceFolder | undefined): string | undefined =>
  folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined;

const isManifest = ({ languageId }: vscode.TextDocument): boolean =>
  manifestLanguages.some((language) => language === languageId);

/** Returns the pods of a document. Returns an empty list for a document in another language. */
export const podsOf = (document: vscode.TextDocument): readonly FoundPod[] =>
  isManifest(document) ? findPods(document.getText()) : [];

/**
 * Returns the path of a file with the document's text, which the adapter can read. If the document is unsaved or isn't
 * a file on this machine, copies it to the extension's storage.
 */
export async function pathOf(document: vscode.TextDocument, storage: vscode.Uri): Promise<string> {
  if (document.uri.scheme === 'file' && !document.isDirty) return document.uri.fsPath;
  if (document.uri.scheme === 'file' && (await document.save())) return document.uri.fsPath;
  const name = createHash('sha256').update(document.uri.toString()).digest('hex').slice(0, 16);
  const copy = vscode.Uri.joinPath(storage, 'manifests', `${name}.yaml`);
  await vscode.workspace.fs.writeFile(copy, new TextEncoder().encode(document.getText()));
  return copy.fsPath;
}
