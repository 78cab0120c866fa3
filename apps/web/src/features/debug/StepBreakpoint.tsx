/** The dot beside a step sets or removes a breakpoint. */
import { useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { isPlain, toggleBreakpoint } from '../../node/debugger/debug-actions.ts';
import { useBreakpoints, useDebugState } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { debugMessages } from './messages.en.ts';
import styles from './StepBreakpoint.module.css';

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
