/** Finds Podscope for this window and asks before npx downloads it. If it isn't found, shows the remedy. */
import { execFile } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { type FoundPodscope, findPodscope, isCompatible, NoPodscopeError, type Program } from './find-podscope.ts';
import { isPublished, mayUseNpx } from './npx-consent.ts';

const run = promisify(execFile);

/**
 * Maximum time for a response of the program, in milliseconds. npx needs more time, because it first downloads the
 * package.
 */
const timeout = 30_000;
const downloadTimeout = 300_000;

/** Runs a program of Podscope and returns its standard output. @throws Error if it fails */
export async function outputOf({ command, args, cwd }: Program): Promise<string> {
  const { stdout } = await run(command, [...args], {
    timeout: command === 'npx' ? downloadTimeout : timeout,
    windowsHide: true,
    maxBuffer: 16 * 1024 * 1024,
    cwd,
  });
  return stdout;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export class PodscopeProgram implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #subscriptions: vscode.Disposable[];
  #found: Promise<FoundPodscope> | undefined;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    const forget = (): void => {
      this.#found = undefined;
    };
    this.#subscriptions = [
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('podscope') && forget()),
      vscode.workspace.onDidChangeWorkspaceFolders(forget),
      vscode.workspace.onDidGrantWorkspaceTrust(forget),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** The version of this extension. */
  get version(): string {
    const { version } = this.#context.extension.packageJSON as { readonly version: string };
    return version;
  }

  /** Returns the Podscope program. If it isn't found, shows a message with the remedy and returns undefined. */
  async find(): Promise<FoundPodscope | undefined> {
    this.#found ??= this.#search();
    try {
      return await this.#found;
    } catch (error) {
      this.#found = undefined;
      if (!(error instanceof NoPodscopeError)) throw error;
      for (const attempt of error.attempts) this.#log.warn(attempt);
      void this.#explain();
      return undefined;
    }
  }

  async #search(): Promise<FoundPodscope> {
    const { isTrusted, workspaceFolders = [] } = vscode.workspace;
    const found = await findPodscope(
      {
        command: vscode.workspace.getConfiguration('podscope').get<string[]>('command') ?? [],
        folders: isTrusted
          ? workspaceFolders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)
          : [],
        exists: isThere,
        run: outputOf,
        mayUseNpx: () => this.#mayUseNpx(),
        storage: this.#context.globalStorageUri.fsPath,
      },
      this.version,
    );
    this.#log.info(`Podscope ${found.version} (${found.origin}): ${[found.command, ...found.args].join(' ')}`);
    if (!isCompatible(this.version, found.version))
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'This extension is made for Podscope {0}, but {1} is Podscope {2}. Install the same version of both.',
          this.version,
          [found.command, ...found.args].join(' '),
          found.version,
        ),
      );
    return found;
  }

  async #mayUseNpx(): Promise<boolean> {
    const { globalState: memory, globalStorageUri } = this.#context;
    const isAllowed = await mayUseNpx(this.version, {
      isPublished,
      isTrusted: () => vscode.workspace.isTrusted,
      memory,
      ask: (version) => this.#askForDownload(version),
    });
    if (isAllowed) await mkdir(globalStorageUri.fsPath, { recursive: true });
    return isAllowed;
  }

  async #askForDownload(version: string): Promise<boolean> {
    const download = vscode.l10n.t('Download with npx');
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t('Podscope isn’t installed here. Download podscope@{0} from the npm registry?', version),
      {
        modal: true,
        detail: vscode.l10n.t(
          'npx keeps it in its cache. For your own copy: "npm install --save-dev podscope", or set podscope.command.',
        ),
      },
      download,
    );
    return answer === download;
  }

  async #explain(): Promise<void> {
    const settings = vscode.l10n.t('Open Settings');
    const details = vscode.l10n.t('Show Log');
    const answer = await vscode.window.showErrorMessage(
      isPublished
        ? vscode.l10n.t(
            'Podscope was not found. Run "npm install --save-dev podscope" in this folder, or set podscope.command.',
          )
        : vscode.l10n.t('Podscope was not found. Install it from a clone, and set podscope.command to its program.'),
      settings,
      details,
    );
    if (answer === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'podscope.command');
    if (answer === details) this.#log.show();
  }
}
