/** Starts the debug adapter: `podscope dap` on standard input and output. */
import * as vscode from 'vscode';
import { folderOf } from '../manifests/manifest-documents.ts';
import type { PodscopeProgram } from '../podscope/podscope-program.ts';

export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  readonly #podscope: PodscopeProgram;

  constructor(podscope: PodscopeProgram) {
    this.#podscope = podscope;
  }

  async createDebugAdapterDescriptor({ workspaceFolder }: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor> {
    const found = await this.#podscope.find();
    if (!found) throw new Error(vscode.l10n.t('Podscope was not found.'));
    // npx must not run in a directory of the workspace.
    const folder = found.cwd ?? folderOf(workspaceFolder);
    return new vscode.DebugAdapterExecutable(
      found.command,
      [...found.args, 'dap'],
      folder === undefined ? {} : { cwd: folder },
    );
  }
}
