import { expect, it } from 'vitest';
import { setPreference, usePreferences } from '../../../base/preferences/preferences.ts';
import { loadProgress, progressText } from './progress-file.ts';

const progress = () => usePreferences.getState().lessonProgress;

it('restores the progress of a saved file in a browser without progress', () => {
  setPreference({ lessonProgress: { 'crash-loops': ['first', 'second'] } });
  const saved = progressText();
  setPreference({ lessonProgress: {} });
  loadProgress(saved);
  expect(progress()).toEqual({ 'crash-loops': ['first', 'second'] });
});

it('merges the progress of a file into existing progress', () => {
  setPreference({ lessonProgress: { 'crash-loops': ['first'], probes: ['one'] } });
  const saved = progressText();
  setPreference({ lessonProgress: { 'crash-loops': ['third'] } });
  loadProgress(saved);
  expect(progress()).toEqual({ 'crash-loops': ['third', 'first'], probes: ['one'] });
});

it.each(['no JSON', '{}', '{"format":"podscope-progress","version":1,"lessons":{"a":[1]}}'])(
  'refuses the file %s and keeps the progress',
  (text) => {
    setPreference({ lessonProgress: { probes: ['one'] } });
    expect(() => loadProgress(text)).toThrow('This file has no progress in lessons');
    expect(progress()).toEqual({ probes: ['one'] });
  },
);
