/** Stores the file that the user chose for the Code tab, and finds files and functions by name. */
import { create } from 'zustand';
import { useView } from '../../../node/address/view-store.ts';

/** A file of the engine and the line at which it opens. Without a line, it opens at its first function. */
export interface CodePlace {
  readonly path: string;
  readonly line: number | undefined;
}

export const useCodePlace = create<{ readonly place: CodePlace | undefined }>()(() => ({ place: undefined }));

/** Shows a file in the Code tab; undefined returns to the running line. */
export function showSource(place: CodePlace | undefined): void {
  useCodePlace.setState({ place });
  if (place) useView.getState().show({ tab: 'code' });
}

/** Returns a path without the beginning that all paths have in common. */
export const shortPath = (path: string): string => path.replace('packages/', '').replace('/src/', '/');

/** A file or a function in it. */
export interface CodeEntry extends CodePlace {
  /** Name of the function; undefined for a file. */
  readonly name: string | undefined;
}

const most = 50;

/** Returns how well an entry matches, where lower is better. Returns undefined if the entry lacks a word. */
function rank({ path, name }: CodeEntry, words: readonly string[]): number | undefined {
  const text = `${name ?? ''} ${shortPath(path)}`.toLowerCase();
  if (!words.every((word) => text.includes(word))) return undefined;
  const [first = ''] = words;
  const own = (name ?? path.split('/').at(-1) ?? '').toLowerCase();
  return (own.startsWith(first) ? 0 : own.includes(first) ? 1 : 2) + (name === undefined ? 0.5 : 0);
}

/** Returns the entries that contain every word of the query, the best first, at most 50. */
export function findSources(entries: readonly CodeEntry[], query: string): readonly CodeEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry) => {
      const score = rank(entry, words);
      return score === undefined ? [] : [{ entry, score }];
    })
    .toSorted((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

const definition = /^(?:export )?(?:default )?(?:async )?(?:function|class|const \w+ = (?:async )?\()/;

/** Returns the line of the first function or class of a source, counted from 1; 1 without a function or class. */
export const firstDefinition = (text: string): number =>
  Math.max(
    0,
    text.split('\n').findIndex((line) => definition.test(line)),
  ) + 1;
