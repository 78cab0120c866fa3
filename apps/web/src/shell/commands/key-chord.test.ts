import { describe, expect, it } from 'vitest';
import { matchesChord, shownChord } from './key-chord.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('a key chord', () => {
  it('matches its key alone, however the character is typed', () => {
    expect(matchesChord('n', { ...none, key: 'n' })).toBe(true);
    expect(matchesChord('?', { ...none, key: '?', shiftKey: true })).toBe(true);
    expect(matchesChord('n', { ...none, key: 'n', ctrlKey: true })).toBe(false);
    expect(matchesChord('n', { ...none, key: 'n', altKey: true })).toBe(false);
  });

  it('distinguishes function keys with Shift from those without', () => {
    expect(matchesChord('F11', { ...none, key: 'F11' })).toBe(true);
    expect(matchesChord('F11', { ...none, key: 'F11', shiftKey: true })).toBe(false);
    expect(matchesChord('Shift+F11', { ...none, key: 'F11', shiftKey: true })).toBe(true);
  });

  it('requires Ctrl for Mod', () => {
    expect(matchesChord('Mod+k', { ...none, key: 'k', ctrlKey: true })).toBe(true);
    expect(matchesChord('Mod+k', { ...none, key: 'k' })).toBe(false);
  });

  it('is formatted as printed on the keys', () => {
    expect(shownChord('Mod+k')).toEqual(['Ctrl', 'K']);
    expect(shownChord('arrowup')).toEqual(['↑']);
    expect(shownChord('Delete')).toEqual(['Delete']);
  });
});
