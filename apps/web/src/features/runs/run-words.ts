/** Formats, parses and searches the properties of a saved run. */
import type { RunSummary } from '@podscope/protocol';
import { currentLanguage, translate } from '../../base/i18n/i18n.ts';
import { runsMessages as texts } from './messages.en.ts';

/** Formats the date in the page's language: `14 Nov 2026, 13:05`. */
export const runDate = ({ startedAt }: Pick<RunSummary, 'startedAt'>): string =>
  new Date(startedAt).toLocaleString(currentLanguage() === 'en' ? 'en-GB' : currentLanguage(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  });

export const runTitle = (run: RunSummary): string =>
  run.title ??
  translate(run.repeats ? texts.repeated : texts.untitled, { date: runDate(run), seq: run.repeats?.seq ?? 0 });

export const runtimeText = ({ runtime }: RunSummary): string =>
  `${runtime.kind === 'sim' ? 'Simulator' : runtime.kind === 'docker' ? 'Docker' : runtime.name} ${runtime.version}`;

export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;

/** Parses tags, which contain no spaces. */
export const readTags = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];

/** Returns true if the properties of the run contain each word of the search text. */
export function matchesRun(run: RunSummary, search: string): boolean {
  const text = [
    runTitle(run),
    runDate(run),
    run.nodeName,
    runtimeText(run),
    run.profile,
    ...run.tags,
    ...run.notes.map((note) => note.text),
  ]
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
