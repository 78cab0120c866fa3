/** Applies the motion preference. The rules are in `base.css`. */
import { usePreferences } from '../preferences/preferences.ts';

function apply(): void {
  const { motion } = usePreferences.getState();
  if (motion === 'system') delete document.documentElement.dataset['motion'];
  else document.documentElement.dataset['motion'] = motion;
}

/** Applies the preference now and after each change. Returns a function that stops following it. */
export function followMotion(): () => void {
  apply();
  return usePreferences.subscribe(apply);
}
