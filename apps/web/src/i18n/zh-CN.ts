/** Everything the interface says, in simplified Chinese. Kubernetes', CRI's and Docker's own terms stay as they are. */
import { appMessages } from '../app/messages.en.ts';
import * as app from '../app/messages.zh-CN.ts';
import { codeMessages } from '../code/messages.en.ts';
import * as code from '../code/messages.zh-CN.ts';
import { compareMessages } from '../compare/messages.en.ts';
import * as compare from '../compare/messages.zh-CN.ts';
import { connectionMessages } from '../connection/messages.en.ts';
import * as connection from '../connection/messages.zh-CN.ts';
import { breakpointMessages, describeMessages } from '../debug/breakpoints/messages.en.ts';
import * as debugBreakpoints from '../debug/breakpoints/messages.zh-CN.ts';
import { interveneMessages } from '../debug/intervene/messages.en.ts';
import * as debugIntervene from '../debug/intervene/messages.zh-CN.ts';
import { debugMessages } from '../debug/messages.en.ts';
import * as debug from '../debug/messages.zh-CN.ts';
import { scopeMessages, stopMessages } from '../debug/stop/messages.en.ts';
import * as debugStop from '../debug/stop/messages.zh-CN.ts';
import { editorMessages, templateMessages } from '../editor/messages.en.ts';
import * as editor from '../editor/messages.zh-CN.ts';
import { fieldTexts } from '../editor/schema/messages.en.ts';
import * as schema from '../editor/schema/messages.zh-CN.ts';
import { faultMessages } from '../faults/messages.en.ts';
import * as faults from '../faults/messages.zh-CN.ts';
import { fileMessages } from '../files/messages.en.ts';
import * as files from '../files/messages.zh-CN.ts';
import { containerTypeMessages, inspectorMessages, kindMessages, outcomeMessages, stateMessages } from '../inspector/messages.en.ts';
import * as inspector from '../inspector/messages.zh-CN.ts';
import { explainTexts, outcomeTexts, ruleTexts, whyMessages } from '../inspector/why/messages.en.ts';
import * as why from '../inspector/why/messages.zh-CN.ts';
import { lessonMessages } from '../lessons/messages.en.ts';
import * as lessons from '../lessons/messages.zh-CN.ts';
import { logMessages, terminalMessages } from '../logs/messages.en.ts';
import * as logs from '../logs/messages.zh-CN.ts';
import { podHeaderMessages } from '../pod/messages.en.ts';
import * as pod from '../pod/messages.zh-CN.ts';
import { podMessages } from '../pods/messages.en.ts';
import * as pods from '../pods/messages.zh-CN.ts';
import { runMessages } from '../run/messages.en.ts';
import * as run from '../run/messages.zh-CN.ts';
import { runsMessages } from '../runs/messages.en.ts';
import * as runs from '../runs/messages.zh-CN.ts';
import { actMessages, scenarioMessages } from '../scenarios/messages.en.ts';
import * as scenarios from '../scenarios/messages.zh-CN.ts';
import { helpMessages, timelineKeyMessages } from '../shell/help/messages.en.ts';
import * as shellHelp from '../shell/help/messages.zh-CN.ts';
import { hintMessages } from '../shell/hints/messages.en.ts';
import * as shellHints from '../shell/hints/messages.zh-CN.ts';
import { commandGroupMessages, commandMessages, shareMessages, shellMessages, tabTitleMessages, welcomeMessages } from '../shell/messages.en.ts';
import * as shell from '../shell/messages.zh-CN.ts';
import { paletteMessages } from '../shell/palette/messages.en.ts';
import * as shellPalette from '../shell/palette/messages.zh-CN.ts';
import { settingsMessages } from '../shell/settings/messages.en.ts';
import * as shellSettings from '../shell/settings/messages.zh-CN.ts';
import { snapshotMessages, snapshotNotices } from '../snapshot/messages.en.ts';
import * as snapshots from '../snapshot/messages.zh-CN.ts';
import { specMessages } from '../spec/messages.en.ts';
import * as spec from '../spec/messages.zh-CN.ts';
import { stepStateMessages, stepsMessages, stepTextMessages, syncOutcomeMessages } from '../steps/messages.en.ts';
import * as steps from '../steps/messages.zh-CN.ts';
import { tableMessages } from '../tables/messages.en.ts';
import * as tables from '../tables/messages.zh-CN.ts';
import { timelineMessages, timelineWordMessages } from '../timeline/messages.en.ts';
import * as timeline from '../timeline/messages.zh-CN.ts';
import { travelMessages } from '../travel/messages.en.ts';
import * as travel from '../travel/messages.zh-CN.ts';
import { uiMessages } from '../ui/messages.en.ts';
import * as ui from '../ui/messages.zh-CN.ts';
import type { Message, Translation } from './define-messages.ts';

/** Binds translations to the names of their texts. */
function bind<Messages extends Readonly<Record<string, Message>>>(messages: Messages, texts: Translation<Messages>): (readonly [string, string])[] {
  return Object.entries(messages).map(([name, { id }]) => [id, texts[name as keyof Messages]] as const);
}

export const catalogue: Readonly<Record<string, string>> = Object.fromEntries([
  ...bind(timelineMessages, timeline.timeline),
  ...bind(timelineWordMessages, timeline.timelineWords),
  ...bind(appMessages, app.app),
  ...bind(connectionMessages, connection.connection),
  ...bind(breakpointMessages, debugBreakpoints.breakpoints),
  ...bind(debugMessages, debug.debug),
  ...bind(describeMessages, debugBreakpoints.describeBreakpoint),
  ...bind(interveneMessages, debugIntervene.intervene),
  ...bind(stopMessages, debugStop.stop),
  ...bind(scopeMessages, debugStop.scopes),
  ...bind(faultMessages, faults.faults),
  ...bind(fileMessages, files.files),
  ...bind(podHeaderMessages, pod.podHeader),
  ...bind(podMessages, pods.pods),
  ...bind(runMessages, run.run),
  ...bind(runsMessages, runs.runs),
  ...bind(actMessages, scenarios.acts),
  ...bind(scenarioMessages, scenarios.scenarios),
  ...bind(commandGroupMessages, shell.commandGroups),
  ...bind(commandMessages, shell.commands),
  ...bind(helpMessages, shellHelp.help),
  ...bind(hintMessages, shellHints.hints),
  ...bind(paletteMessages, shellPalette.palette),
  ...bind(settingsMessages, shellSettings.settings),
  ...bind(shareMessages, shell.share),
  ...bind(shellMessages, shell.shell),
  ...bind(lessonMessages, lessons.lessons),
  ...bind(snapshotMessages, snapshots.snapshot),
  ...bind(snapshotNotices, snapshots.notices),
  ...bind(tabTitleMessages, shell.tabTitles),
  ...bind(timelineKeyMessages, shellHelp.timelineKeys),
  ...bind(welcomeMessages, shell.welcome),
  ...bind(travelMessages, travel.travel),
  ...bind(uiMessages, ui.ui),
  ...bind(codeMessages, code.code),
  ...bind(compareMessages, compare.compare),
  ...bind(editorMessages, editor.editor),
  ...bind(templateMessages, editor.templates),
  ...bind(fieldTexts, schema.fields),
  ...bind(inspectorMessages, inspector.inspector),
  ...bind(containerTypeMessages, inspector.containerTypes),
  ...bind(stateMessages, inspector.states),
  ...bind(kindMessages, inspector.kinds),
  ...bind(outcomeMessages, inspector.spanOutcomes),
  ...bind(explainTexts, why.explain),
  ...bind(ruleTexts, why.rules),
  ...bind(outcomeTexts, why.outcomes),
  ...bind(whyMessages, why.why),
  ...bind(logMessages, logs.logs),
  ...bind(terminalMessages, logs.terminal),
  ...bind(specMessages, spec.spec),
  ...bind(stepsMessages, steps.steps),
  ...bind(stepStateMessages, steps.stepStates),
  ...bind(stepTextMessages, steps.stepTexts),
  ...bind(syncOutcomeMessages, steps.syncOutcomes),
  ...bind(tableMessages, tables.tables),
]);
