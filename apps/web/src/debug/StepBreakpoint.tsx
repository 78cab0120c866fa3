/** The dot beside a step: one click stops there from now on. */
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useRefusal } from '../run/refusal.ts';
import { cx } from '../ui/cx.ts';
import { isPlain, toggleBreakpoint } from './debug-actions.ts';
import { debugMessages } from './messages.en.ts';
import styles from './StepBreakpoint.module.css';
import { useBreakpoints, useDebugState } from './use-debug.ts';

export function StepBreakpoint({ point, title }: { readonly point: string; readonly title: string }) {
  const session = useSession();
  const refusal = useRefusal('breakpoints');
  const t = useT();
  const hasDebugger = useDebugState() !== undefined;
  const isSet = useBreakpoints().some(({ spec }) => isPlain(spec, point) && spec.enabled !== false);
  if (!hasDebugger) return null;
  return (
    <button
      type="button"
      className={cx(styles.dot, isSet && styles.set)}
      aria-label={t(debugMessages.stepBreakpoint, { title })}
      aria-pressed={isSet}
      disabled={refusal !== undefined}
      title={refusal}
      onClick={() => void toggleBreakpoint(session, point)}
    />
  );
}
