/** Shows the code lens “Debug this pod” above each pod of a manifest. */
import * as vscode from 'vscode';
import { podsOf } from './manifest-documents.ts';

export class PodLenses implements vscode.CodeLensProvider {
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!vscode.workspace.getConfiguration('podscope', document).get<boolean>('codeLens')) return [];
    return podsOf(document).map(
      ({ name, line }) =>
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          title: vscode.l10n.t('$(debug-alt) Debug this pod'),
          command: 'podscope.debugPod',
          arguments: [document.uri, name],
        }),
    );
  }
}
