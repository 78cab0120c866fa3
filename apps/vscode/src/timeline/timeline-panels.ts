/** Shows the timeline of each debug session in a panel beside the editor. The timeline follows the session. */
import * as vscode from 'vscode';
import { z } from 'zod';
import { frameAddress, frameHtml, messageHtml } from './timeline-html.ts';

const pageSchema = z.object({ url: z.url({ protocol: /^https?$/ }), version: z.string() });

const problems = {
  ancestors: () =>
    vscode.l10n.t('Add the address of this VS Code to podscope.frameAncestors, and start the session again.'),
  path: () =>
    vscode.l10n.t(
      'This VS Code forwards ports below a path, where the timeline doesn’t work. Forward them by name instead.',
    ),
} as const;

export class TimelinePanels implements vscode.Disposable {
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #log: vscode.LogOutputChannel;
  readonly #icon: vscode.Uri;

  constructor(log: vscode.LogOutputChannel, icon: vscode.Uri) {
    this.#log = log;
    this.#icon = icon;
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }

  /** Shows the timeline of a session. */
  async show(session: vscode.DebugSession): Promise<void> {
    const open = this.#panels.get(session.id);
    if (open) {
      open.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      'podscope.timeline',
      vscode.l10n.t('Timeline: {0}', session.name),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      // Allow scripts for the frame. The policy of the document around the frame allows no scripts.
      { enableScripts: true, retainContextWhenHidden: true },
    );
    panel.iconPath = this.#icon;
    this.#panels.set(session.id, panel);
    panel.onDidDispose(() => this.#panels.delete(session.id));
    panel.webview.html = messageHtml(vscode.l10n.t('Podscope is starting…'));
    const html = await this.#documentOf(session);
    // The user may have closed the panel in the meantime.
    if (this.#panels.get(session.id) === panel) panel.webview.html = html;
  }

  /** Opens the timeline of a session in the browser. */
  async openInBrowser(session: vscode.DebugSession): Promise<void> {
    try {
      const { url } = await this.#pageOf(session);
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    } catch (error) {
      void vscode.window.showErrorMessage(this.#reasonOf(error));
    }
  }

  /** Reports in the panel that the session has ended. */
  ended(session: vscode.DebugSession): void {
    const panel = this.#panels.get(session.id);
    if (!panel) return;
    this.#panels.delete(session.id);
    panel.webview.html = messageHtml(
      vscode.l10n.t('The debug session has ended. Its node is stopped, and the timeline with it.'),
    );
  }

  async #documentOf(session: vscode.DebugSession): Promise<string> {
    try {
      const found = await this.#addressOf(session);
      if ('problem' in found) return messageHtml(problems[found.problem]());
      return frameHtml(found.address, vscode.l10n.t('Timeline: {0}', session.name));
    } catch (error) {
      return messageHtml(this.#reasonOf(error));
    }
  }

  /** Returns the address of the page that this window can load, or the reason why it can't load the page. */
  async #addressOf(session: vscode.DebugSession): Promise<ReturnType<typeof frameAddress>> {
    const { url } = await this.#pageOf(session);
    const external = (await vscode.env.asExternalUri(vscode.Uri.parse(url, true))).toString(true);
    const found = frameAddress(url, {
      external,
      isBrowser: vscode.env.uiKind === vscode.UIKind.Web,
      frameAncestors: this.#frameAncestors(),
    });
    // If the port is forwarded, tell the server the origin. Until then, the server rejects requests under another name
    // than its own.
    const origin = 'address' in found ? new URL(found.address).origin : undefined;
    if (origin !== undefined && origin !== new URL(url).origin) await this.#pageOf(session, origin);
    return found;
  }

  #frameAncestors(): readonly string[] {
    return vscode.workspace.getConfiguration('podscope').get<string[]>('frameAncestors') ?? [];
  }

  async #pageOf(session: vscode.DebugSession, origin?: string): Promise<z.infer<typeof pageSchema>> {
    const answer: unknown = await session.customRequest('podscopePage', {
      frameAncestors: this.#frameAncestors(),
      ...(origin === undefined ? {} : { origin }),
    });
    return pageSchema.parse(answer);
  }

  #reasonOf(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.error(reason);
    return vscode.l10n.t('The timeline can’t be shown: {0}', reason);
  }
}
