/** The VS Code extension: debugs pods with Podscope, and shows their timeline beside the manifest. */
import * as vscode from 'vscode';
import { AdapterFactory } from './debug/adapter-factory.ts';
import { ConfigurationProvider } from './debug/configuration-provider.ts';
import { manifestLanguages, pathOf, podsOf } from './manifests/manifest-documents.ts';
import { followPods } from './manifests/pod-context.ts';
import { PodLenses } from './manifests/pod-lenses.ts';
import { PodscopeProgram } from './podscope/podscope-program.ts';
import { pickScenario } from './scenarios/pick-scenario.ts';
import { TimelinePanels } from './timeline/timeline-panels.ts';

const debugType = 'podscope';

/**
 * Debugs all pods of a document, or only the pod with the given name. Without a document, uses the document in the
 * active editor.
 */
async function debugPod(storage: vscode.Uri, uri: vscode.Uri | undefined, pod: string | undefined): Promise<void> {
  const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
  const pods = document ? podsOf(document) : [];
  if (!document || pods.length === 0) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('This document has no Pod. Podscope runs manifests of kind Pod.'),
    );
    return;
  }
  const path = vscode.workspace.asRelativePath(document.uri);
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(document.uri), {
    type: debugType,
    request: 'launch',
    name: pod ?? path,
    program: await pathOf(document, storage),
    ...(pod !== undefined && pods.length > 1 ? { pods: [pod] } : {}),
    runtime: vscode.workspace.getConfiguration('podscope', document).get<string>('runtime') ?? 'sim',
    stopOnEntry: vscode.workspace.getConfiguration('podscope', document).get<boolean>('stopOnEntry') ?? true,
  });
}

/** Debugs a scenario that the user picks. */
async function playScenario(podscope: PodscopeProgram): Promise<void> {
  const scenario = await pickScenario(podscope);
  if (!scenario) return;
  await vscode.debug.startDebugging(undefined, {
    type: debugType,
    request: 'launch',
    name: scenario.id,
    scenario: scenario.id,
    profile: scenario.profiles.includes('v1.36') ? 'v1.36' : scenario.profiles[0],
    stopOnEntry: vscode.workspace.getConfiguration('podscope').get<boolean>('stopOnEntry') ?? true,
  });
}

/** Calls `body` with the active session of Podscope. If none is active, tells the user. */
async function withSession(body: (session: vscode.DebugSession) => Promise<void>): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type === debugType) await body(session);
  else void vscode.window.showInformationMessage(vscode.l10n.t('No pod is being debugged.'));
}

/** Called by VS Code when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Podscope', { log: true });
  const podscope = new PodscopeProgram(context, log);
  const timelines = new TimelinePanels(log, vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'));
  const configurations = new ConfigurationProvider(podscope, context.globalStorageUri);
  const opensTimeline = (): boolean =>
    vscode.workspace.getConfiguration('podscope').get<boolean>('openTimeline') ?? true;
  context.subscriptions.push(
    log,
    podscope,
    timelines,
    followPods(log),
    vscode.debug.registerDebugConfigurationProvider(debugType, configurations),
    vscode.debug.registerDebugConfigurationProvider(
      debugType,
      { provideDebugConfigurations: () => configurations.provideDebugConfigurations() },
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    vscode.debug.registerDebugAdapterDescriptorFactory(debugType, new AdapterFactory(podscope)),
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type === debugType && opensTimeline()) void timelines.show(session);
    }),
    vscode.debug.onDidTerminateDebugSession((session) => timelines.ended(session)),
    vscode.languages.registerCodeLensProvider([...manifestLanguages], new PodLenses()),
    vscode.commands.registerCommand('podscope.debugPod', (uri?: vscode.Uri, pod?: unknown) =>
      // Check the type of the second argument, because menus pass other values there.
      debugPod(context.globalStorageUri, uri, typeof pod === 'string' ? pod : undefined),
    ),
    vscode.commands.registerCommand('podscope.playScenario', () => playScenario(podscope)),
    vscode.commands.registerCommand('podscope.pickScenario', async () => (await pickScenario(podscope))?.id),
    vscode.commands.registerCommand('podscope.showTimeline', () => withSession((session) => timelines.show(session))),
    vscode.commands.registerCommand('podscope.openInBrowser', () =>
      withSession((session) => timelines.openInBrowser(session)),
    ),
    vscode.commands.registerCommand('podscope.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`, false),
    ),
  );
}
