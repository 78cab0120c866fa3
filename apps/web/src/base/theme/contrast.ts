/** Applies the contrast preference, or the system's setting. The colors are in `contrast.css`. */
import { usePreferences } from '../preferences/preferences.ts';
import { announceLook } from './theme.ts';

const systemContrast = typeof matchMedia === 'function' ? matchMedia('(prefers-contrast: more)') : undefined;

function apply(): void {
  const isMore = usePreferences.getState().contrast === 'more' || systemContrast?.matches === true;
  const { dataset } = document.documentElement;
  if (isMore === 'contrast' in dataset) return;
  if (isMore) dataset['contrast'] = 'more';
  else delete dataset['contrast'];
  announceLook();
}

/** Applies the preference now and after each change. Returns a function that stops following it. */
export function followContrast(): () => void {
  apply();
  systemContrast?.addEventListener('change', apply);
  const off = usePreferences.subscribe(apply);
  return () => {
    systemContrast?.removeEventListener('change', apply);
    off();
  };
}
