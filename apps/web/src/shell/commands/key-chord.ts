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

/** The part of a `KeyboardEvent` that chords need. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns true when the chord works in text fields too, because it types no text. */
export const isModChord = (chord: string): boolean => chord.startsWith('Mod+');

export function matchesChord(chord: string, { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  if (altKey) return false;
  const parts = partsOf(chord);
  const wanted = parts.at(-1) ?? '';
  if (parts.includes('Mod')) return (isApple ? metaKey : ctrlKey) && key.toLowerCase() === wanted;
  if (ctrlKey || metaKey || key !== wanted) return false;
  // Shift is part of typing a character such as `?`, so it is ignored for characters. With a function key it forms
  // another chord.
  return wanted.length === 1 || shiftKey === parts.includes('Shift');
}

/** Returns the keys of a chord as printed: `['Shift', 'F11']`. */
export const shownChord = (chord: string): readonly string[] =>
  partsOf(chord).map((part) => shownKeys[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part));
