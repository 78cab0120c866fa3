/** Builds and ranks the entries of the palette. */
import type { Scenario } from '@podscope/scenarios';
import { formatDuration } from '@podscope/timeline';
import type { SyncRecord } from '@podscope/trace';
import { translate } from '../../base/i18n/i18n.ts';
import type { Language } from '../../base/preferences/languages.ts';
import type { Tone } from '../../base/ui/marks/StateMark.tsx';
import { formatClock } from '../../base/ui/text/format.ts';
import { playScenario } from '../../features/scenarios/index.ts';
import { showPod, useView } from '../../node/address/view-store.ts';
import { listPods } from '../../node/pods/list-pods.ts';
import { podRowText } from '../../node/pods/pod-row-text.ts';
import { showSync } from '../../node/syncs/use-sync-in-view.ts';
import { type CommandContext, commands, isAvailable, refusalFor } from '../commands/commands.ts';
import { shownChord } from '../commands/key-chord.ts';
import { commandGroupMessages } from '../commands/messages.en.ts';
import { fuzzyMatch } from './fuzzy-match.ts';
import { paletteMessages } from './messages.en.ts';

const paletteKinds = ['commands', 'pods', 'syncs', 'scenarios'] as const;
export type PaletteKind = (typeof paletteKinds)[number];

export interface PaletteEntry {
  readonly id: string;
  readonly kind: PaletteKind;
  readonly title: string;
  readonly detail: string;
  readonly keys: readonly string[];
  /** Color of the pod's state. */
  readonly tone?: Tone;
  /** Reason why the command is refused. */
  readonly refusal?: string;
  readonly run: () => unknown;
}

/** An entry, with the letters that match the query. */
export interface PaletteHit {
  readonly entry: PaletteEntry;
  readonly at: readonly number[];
}

export interface PaletteSection {
  readonly kind: PaletteKind;
  readonly hits: readonly PaletteHit[];
}

/** Maximum number of syncs of the selected pod to list, newest first. Users reach older ones with the keyboard. */
const mostSyncs = 200;

const commandEntries = (context: CommandContext): PaletteEntry[] =>
  commands
    .filter((command) => command.id !== 'palette' && isAvailable(command, context))
    .map((command) => {
      const message = refusalFor(command, context);
      const refusal = message && translate(message);
      return {
        id: `command:${command.id}`,
        kind: 'commands',
        title: translate(command.title),
        detail: refusal ?? translate(commandGroupMessages[command.group]),
        keys: command.keys === undefined ? [] : shownChord(command.keys),
        ...(refusal !== undefined && { refusal }),
        run: () => command.run(context),
      };
    });

const podEntries = ({ session: { run } }: CommandContext): PaletteEntry[] =>
  listPods(run.fold.pods()).map((pod) => {
    const { status, tone } = podRowText(pod, run.now()).description;
    return {
      id: `pod:${pod.uid}`,
      kind: 'pods',
      title: pod.namespace === 'default' ? pod.name : `${pod.namespace}/${pod.name}`,
      detail: status,
      tone,
      keys: [],
      run: () => showPod(pod),
    };
  });

const syncDetail = ({ start, end, results }: SyncRecord): string =>
  [
    formatClock(start, false),
    end === undefined ? undefined : formatDuration(end - start),
    ...new Set(results.map(({ error, action }) => error ?? action)),
  ]
    .filter(Boolean)
    .join(' · ');

function syncEntries({ session: { run }, uid }: CommandContext): PaletteEntry[] {
  const pod = run.pod(uid);
  if (!pod) return [];
  return pod.syncs
    .slice(-mostSyncs)
    .toReversed()
    .map((sync) => ({
      id: `sync:${sync.number}`,
      kind: 'syncs',
      title: translate(paletteMessages.sync, { number: sync.number }),
      detail: syncDetail(sync),
      keys: [],
      run: () => {
        useView.getState().show({ tab: 'steps' });
        showSync(pod, sync.number);
      },
    }));
}

const scenarioEntries = (scenarios: readonly Scenario[], language: Language): PaletteEntry[] =>
  scenarios.map((scenario) => {
    const words = language === 'zh-CN' ? 'zh' : 'en';
    return {
      id: `scenario:${scenario.id}`,
      kind: 'scenarios',
      title: scenario.title[words],
      detail: scenario.summary[words],
      keys: [],
      run: () => void playScenario(scenario.id, scenario.profiles[0]),
    };
  });

export const paletteEntries = (
  context: CommandContext,
  scenarios: readonly Scenario[],
  language: Language,
): readonly PaletteEntry[] => [
  ...commandEntries(context),
  ...podEntries(context),
  ...syncEntries(context),
  ...scenarioEntries(scenarios, language),
];

/** Maximum number of entries of each kind: first without a query, then with a query. */
const shownOf: Readonly<Record<PaletteKind, readonly [number, number]>> = {
  commands: [60, 12],
  pods: [8, 12],
  syncs: [0, 8],
  scenarios: [0, 12],
};

/**
 * Returns the entries to show. The group with the best match comes first. Without a query, returns pods and commands in
 * their own order.
 */
export function findEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteSection[] {
  const isSearching = query.trim() !== '';
  const words = query.toLowerCase().split(/\s+/);
  const found = entries.flatMap((entry) => {
    const title = fuzzyMatch(entry.title, query);
    // True if the match is in the note next to the title. Notes match only whole words, and rank below any match in a
    // title.
    const isBeside =
      title === undefined &&
      entry.kind !== 'commands' &&
      words.every((word) => `${entry.title} ${entry.detail}`.toLowerCase().includes(word));
    const score = title?.score ?? (isBeside ? -40 : undefined);
    return score === undefined ? [] : [{ entry, at: title?.at ?? [], score }];
  });
  const sections = paletteKinds.flatMap((kind) => {
    const hits = found
      .filter(({ entry }) => entry.kind === kind)
      .toSorted((left, right) => (isSearching ? right.score - left.score : 0));
    const shown = hits.slice(0, shownOf[kind][isSearching ? 1 : 0]);
    return shown[0] ? [{ kind, hits: shown, best: shown[0].score }] : [];
  });
  return isSearching
    ? sections.toSorted((left, right) => right.best - left.best)
    : sections.toSorted((left, right) => (left.kind === 'pods' ? -1 : right.kind === 'pods' ? 1 : 0));
}
