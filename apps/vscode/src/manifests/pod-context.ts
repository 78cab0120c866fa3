/**
 * Sets the context keys on which the extension's menus depend: whether the document in the active editor contains a
 * pod, and which files contain one.
 */
import * as vscode from 'vscode';
import { mayHavePods } from './find-pods.ts';
import { podsOf } from './manifest-documents.ts';

const manifests = '**/*.{yaml,yml,json}';
/** Maximum number of workspace files that are searched for pods, and their maximum size in bytes. */
const maxFiles = 1_000;
const maxBytes = 1024 * 1024;

const setContext = (key: string, value: unknown): Thenable<unknown> =>
  vscode.commands.executeCommand('setContext', key, value);

/** Sets the context keys now and after each change. Disposing the result stops this. */
export function followPods(log: vscode.LogOutputChannel): vscode.Disposable {
  const withPods = new Set<string>();
  let announced: ReturnType<typeof setTimeout> | undefined;
  const announce = (): void => {
    clearTimeout(announced);
    announced = setTimeout(() => void setContext('podscope.podFiles', [...withPods]), 100);
  };
  const look = async (uri: vscode.Uri): Promise<void> => {
    const { size } = await vscode.workspace.fs.stat(uri);
    const text = size > maxBytes ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    if (mayHavePods(text)) withPods.add(uri.fsPath);
    else withPods.delete(uri.fsPath);
    announce();
  };
  const lookLater = (uri: vscode.Uri): void => {
    look(uri).catch((error: unknown) => log.debug(`${uri.toString()}: ${String(error)}`));
  };
  const lookAtAll = async (): Promise<void> => {
    for (const uri of await vscode.workspace.findFiles(manifests, '**/node_modules/**', maxFiles))
      await look(uri).catch((error: unknown) => log.debug(`${uri.toString()}: ${String(error)}`));
  };
  const lookAtEditor = (editor = vscode.window.activeTextEditor): void =>
    void setContext('podscope.hasPod', editor !== undefined && podsOf(editor.document).length > 0);

  const watcher = vscode.workspace.createFileSystemWatcher(manifests);
  lookAtEditor();
  lookAtAll().catch((error: unknown) => log.warn(`The workspace could not be searched: ${String(error)}`));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(lookLater),
    watcher.onDidChange(lookLater),
    watcher.onDidDelete((uri) => {
      withPods.delete(uri.fsPath);
      announce();
    }),
    vscode.window.onDidChangeActiveTextEditor(lookAtEditor),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) lookAtEditor();
    }),
    { dispose: () => clearTimeout(announced) },
  );
}
