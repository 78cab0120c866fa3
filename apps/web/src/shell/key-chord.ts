/** A key as the table of commands writes it, `n`, `?`, `Shift+F11` or `Mod+k`, against what is pressed and as it is shown. */

/** `Mod` is Command on Apple's keyboards and Ctrl on all others. */
const isApple = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.platform);

const shownKeys: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: '↵',
  escape: 'Esc',
  home: 'Home',
  end: 'End',
};

const partsOf = (chord: string): readonly string[] => chord.split('+').filter((part) => part !== '');

/** What a key press tells; a `KeyboardEvent` has it all. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** True when the chord works wherever the focus is, as no text is typed with it. */
export const isModChord = (chord: string): boolean => chord.startsWith('Mod+');

export function matchesChord(chord: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  if (altKey) return false;
  const parts = partsOf(chord);
  const wanted = parts.at(-1) ?? '';
  if (parts.includes('Mod')) return (isApple ? metaKey : ctrlKey) && key.toLowerCase() === wanted;
  if (ctrlKey || metaKey || key !== wanted) return false;
  // The Shift key is part of how a sign such as ? is typed; with a function key it makes another chord.
  return wanted.length === 1 || shiftKey === parts.includes('Shift');
}

/** The keys of a chord as they are printed on them: `['Shift', 'F11']`. */
export const shownChord = (chord: string): readonly string[] =>
  partsOf(chord).map((part) => shownKeys[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part));
