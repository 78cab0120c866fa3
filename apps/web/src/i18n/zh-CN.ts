/** Everything the interface says, in simplified Chinese. Kubernetes', CRI's and Docker's own terms stay as they are. */
import { appMessages } from '../app/messages.en.ts';
import * as app from '../app/messages.zh-CN.ts';
import { connectionMessages } from '../connection/messages.en.ts';
import * as connection from '../connection/messages.zh-CN.ts';
import { breakpointMessages, debugMessages, describeMessages, interveneMessages, stopMessages } from '../debug/messages.en.ts';
import * as debug from '../debug/messages.zh-CN.ts';
import { faultMessages } from '../faults/messages.en.ts';
import * as faults from '../faults/messages.zh-CN.ts';
import { fileMessages } from '../files/messages.en.ts';
import * as files from '../files/messages.zh-CN.ts';
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
import { travelMessages } from '../travel/messages.en.ts';
import * as travel from '../travel/messages.zh-CN.ts';
import { uiMessages } from '../ui/messages.en.ts';
import * as ui from '../ui/messages.zh-CN.ts';
import {
  commandGroupMessages,
  commandMessages,
  helpMessages,
  hintMessages,
  paletteMessages,
  settingsMessages,
  shareMessages,
  shellMessages,
  tabTitleMessages,
  timelineKeyMessages,
  welcomeMessages,
} from '../shell/messages.en.ts';
import * as shell from '../shell/messages.zh-CN.ts';
import { timelineMessages, timelineWordMessages } from '../timeline/messages.en.ts';
import * as timeline from '../timeline/messages.zh-CN.ts';
import type { Message, Translation } from './i18n.ts';

/** Binds translations to the names of their texts. */
function bind<Messages extends Readonly<Record<string, Message>>>(messages: Messages, texts: Translation<Messages>): (readonly [string, string])[] {
  return Object.entries(messages).map(([name, { id }]) => [id, texts[name as keyof Messages]] as const);
}

export const catalogue: Readonly<Record<string, string>> = Object.fromEntries([
  ...bind(timelineMessages, timeline.timeline),
  ...bind(timelineWordMessages, timeline.timelineWords),
  ...bind(appMessages, app.app),
  ...bind(connectionMessages, connection.connection),
  ...bind(breakpointMessages, debug.breakpoints),
  ...bind(debugMessages, debug.debug),
  ...bind(describeMessages, debug.describeBreakpoint),
  ...bind(interveneMessages, debug.intervene),
  ...bind(stopMessages, debug.stop),
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
  ...bind(helpMessages, shell.help),
  ...bind(hintMessages, shell.hints),
  ...bind(paletteMessages, shell.palette),
  ...bind(settingsMessages, shell.settings),
  ...bind(shareMessages, shell.share),
  ...bind(shellMessages, shell.shell),
  ...bind(tabTitleMessages, shell.tabTitles),
  ...bind(timelineKeyMessages, shell.timelineKeys),
  ...bind(welcomeMessages, shell.welcome),
  ...bind(travelMessages, travel.travel),
  ...bind(uiMessages, ui.ui),
]);
