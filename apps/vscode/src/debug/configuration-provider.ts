/**
 * Provides debug configurations for F5 without launch.json, for a new launch.json, and for the list in the Run view.
 */
import * as vscode from 'vscode';
import { folderOf, pathOf, podsOf } from '../manifests/manifest-documents.ts';
import type { PodscopeProgram } from '../podscope/podscope-program.ts';
import { type ConfigurationProblem, resolveConfiguration, withAbsolutePaths } from './resolve-configuration.ts';

const messages: Readonly<Record<ConfigurationProblem, () => string>> = {
  noDocument: () => vscode.l10n.t('Open the manifest of a Pod, or set "program" or "scenario" in launch.json.'),
  noPod: () => vscode.l10n.t('This document has no Pod. Podscope runs manifests of kind Pod.'),
  bothPrograms: () => vscode.l10n.t('The configuration has both "program" and "scenario". Remove one of them.'),
  noUrl: () => vscode.l10n.t('To attach, set "url" to the address of the server, such as http://127.0.0.1:4400.'),
  noToken: () => vscode.l10n.t('To attach, set "token" to the token that the server printed.'),
};

export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  readonly #podscope: PodscopeProgram;
  readonly #storage: vscode.Uri;

  constructor(podscope: PodscopeProgram, storage: vscode.Uri) {
    this.#podscope = podscope;
    this.#storage = storage;
  }

  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    const common = { type: 'podscope', request: 'launch' };
    return [
      { ...common, name: vscode.l10n.t('Debug the open Pod'), program: '${file}', runtime: 'sim' },
      { ...common, name: vscode.l10n.t('Play a scenario'), scenario: '${command:podscope.pickScenario}' },
    ];
  }

  async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    const pods = document ? podsOf(document) : [];
    const path = document && pods.length > 0 ? await pathOf(document, this.#storage) : '';
    const resolved = resolveConfiguration(configuration, document && { path, pods });
    if (typeof resolved === 'string') {
      void vscode.window.showErrorMessage(messages[resolved]());
      return undefined;
    }
    return resolved;
  }

  /** Stops starting a session if Podscope isn't found. {@link PodscopeProgram.find} shows the reason to the user. */
  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    return (await this.#podscope.find()) ? withAbsolutePaths(configuration, folderOf(folder)) : undefined;
  }
}
