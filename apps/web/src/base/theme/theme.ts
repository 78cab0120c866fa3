/** Applies the theme: the user's choice, or the system's. `public/theme.js` sets it before the first paint. */
import { setPreference, type ThemeChoice, themes, usePreferences } from '../preferences/preferences.ts';

type Theme = 'light' | 'dark';

const systemDark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined;

const resolve = (choice: ThemeChoice): Theme =>
  choice === 'system' ? (systemDark?.matches ? 'dark' : 'light') : choice;

const current = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

const listeners = new Set<() => void>();

/** Switches to the next choice: system, light, dark. */
export function cycleTheme(): void {
  const { theme } = usePreferences.getState();
  setPreference({ theme: themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system' });
}

/** Notifies views that don't draw with CSS (such as the timeline) about changed colors or sizes. */
export function announceLook(): void {
  for (const listener of listeners) listener();
}

function apply(): void {
  const theme = resolve(usePreferences.getState().theme);
  if (theme === current()) return;
  document.documentElement.dataset['theme'] = theme;
  announceLook();
}

/** Applies the theme now and after each change. Returns a function that stops following it. */
export function followTheme(): () => void {
  apply();
  systemDark?.addEventListener('change', apply);
  const off = usePreferences.subscribe(apply);
  return () => {
    systemDark?.removeEventListener('change', apply);
    off();
  };
}

/** Calls `listener` after the theme or the scale changes. Returns a function that unsubscribes. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
