/** Lets the user pick one of Podscope's scenarios. */
import * as vscode from 'vscode';
import { outputOf, type PodscopeProgram } from '../podscope/podscope-program.ts';
import { type ListedScenario, scenarioItems } from './scenario-list.ts';

/**
 * Returns the scenario that the user picks; undefined if the user picks none.
 * @throws Error if Podscope can't list its scenarios
 */
export async function pickScenario(podscope: PodscopeProgram): Promise<ListedScenario | undefined> {
  const found = await podscope.find();
  if (!found) return undefined;
  const printed = outputOf({ ...found, args: [...found.args, 'dap', '--scenarios'] });
  const items = printed.then((text) => [...scenarioItems(text, vscode.env.language)]);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Podscope: play a scenario'),
    placeHolder: vscode.l10n.t('A pod, its behavior in the simulator, and what to notice'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.scenario;
}
