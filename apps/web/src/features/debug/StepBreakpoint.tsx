/**
 * Renders the dot beside a step. A click sets or removes a breakpoint for the selected pod; the context menu offers all
 * pods and editing.
 */
import { type MouseEvent, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { toggleBreakpoint } from '../../node/debugger/debug-actions.ts';
import { breakpointsBefore, scopeFor } from '../../node/debugger/step-scope.ts';
import { useBreakpoints, useDebugState } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { isRecording, useRefusal } from '../../node/run/refusal.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { useSelectedTrack } from '../../node/run/use-selected-pod.ts';
import { debugMessages as texts } from './messages.en.ts';
import styles from './StepBreakpoint.module.css';

const StepMenu = lazyPart(() => import('./breakpoints/StepMenu.tsx'));

export function StepBreakpoint({ point, title }: { readonly point: string; readonly title: string }) {
  const session = useSession();
  const refusal = useRefusal('breakpoints');
  const t = useT();
  const pod = useSelectedTrack();
  const [hint, scopeText] = isRecording(useNodeInfo())
    ? [texts.stepToFindHint, texts.stepToFindScope]
    : [texts.stepBreakpointHint, texts.stepBreakpointScope];
  const hasDebugger = useDebugState() !== undefined;
  const [breakpoint] = breakpointsBefore(useBreakpoints(), point, pod);
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>();
  if (!hasDebugger) return null;
  const isEnabled = breakpoint !== undefined && breakpoint.spec.enabled !== false;
  const scope = breakpoint && scopeFor(breakpoint.spec, pod);
  const onContextMenu = (event: MouseEvent<HTMLButtonElement>): void => {
    event.preventDefault();
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    // The context menu key has no pointer position, so use the position of the dot.
    setMenu(event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom });
  };
  return (
    <>
      <button
        type="button"
        // The dot isn't a tab stop, because the tree of steps has the focus. F9 and the context menu key reach the dot
        // of the active row.
        tabIndex={-1}
        className={cx(
          styles.dot,
          breakpoint && (isEnabled ? styles.set : styles.disabled),
          breakpoint && !breakpoint.verified && styles.unverified,
          scope === 'all' && styles.all,
        )}
        aria-label={t(texts.stepBreakpoint, { title })}
        aria-pressed={isEnabled}
        disabled={refusal !== undefined}
        title={
          refusal ??
          t(scope ? scopeText : hint, {
            scope: scope ?? 'pod',
            pod: pod?.name ?? '',
          })
        }
        onClick={() => void toggleBreakpoint(session, point, pod)}
        onContextMenu={onContextMenu}
      />
      {menu && refusal === undefined && (
        <StepMenu
          point={point}
          title={title}
          pod={pod}
          breakpoint={breakpoint}
          place={menu}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}
