/** How much moves: the person's choice over the system's. `base.css` has the rules. */
import { usePreferences } from './preferences.ts';

function apply(): void {
  const { motion } = usePreferences.getState();
  if (motion === 'system') delete document.documentElement.dataset['motion'];
  else document.documentElement.dataset['motion'] = motion;
}

/** Keeps the page as it was chosen. */
export function followMotion(): () => void {
  apply();
  return usePreferences.subscribe(apply);
}
