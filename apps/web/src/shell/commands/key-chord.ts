/** Parses, matches and formats key chords: `n`, `?`, `Shift+F11`, `Mod+k`. */

/** `Mod` is Command on Apple keyboards and Ctrl on all others. */
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

/** The members of a `KeyboardEvent` that matching a chord needs. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns true if the chord also works in text fields, because it types no text. */
export const isModChord = (chord: string): boolean => chord.startsWith('Mod+');

export function matchesChord(chord: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  if (altKey) return false;
  const parts = partsOf(chord);
  const wanted = parts.at(-1) ?? '';
  if (parts.includes('Mod')) return (isApple ? metaKey : ctrlKey) && key.toLowerCase() === wanted;
  if (ctrlKey || metaKey || key !== wanted) return false;
  // Shift is part of typing a character such as `?`, so it is ignored for characters. A function key with Shift is a
  // different chord.
  return wanted.length === 1 || shiftKey === parts.includes('Shift');
}

/** Returns the names of the keys of a chord for display: `['Shift', 'F11']`. */
export const shownChord = (chord: string): readonly string[] =>
  partsOf(chord).map((part) => shownKeys[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part));
