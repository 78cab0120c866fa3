/**
 * Shows the engine's source at the running line or the line of the selected span. Default export: loaded when first
 * opened.
 */
import type { BreakpointSpec, SourceLocation } from '@podscope/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { removeBreakpoint, runToLine, saveBreakpoint } from '../../node/debugger/debug-actions.ts';
import { type BreakpointScope, scopeFields, scopeFor } from '../../node/debugger/step-scope.ts';
import { useBreakpoints, useDebugState } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { useSelectedTrack } from '../../node/run/use-selected-pod.ts';
import { openDialog } from '../../node/view/interface.ts';
import styles from './CodeTab.module.css';
import { LineMenu, type LineMenuPlace } from './LineMenu.tsx';
import { codeMessages } from './messages.en.ts';
import { shortPath, showSource, useCodePlace } from './source/code-place.ts';
import { Source } from './source/Source.tsx';
import type { SourceMarks } from './source/source-view.ts';
import { type CodePoint, useCodePoints } from './use-code-points.ts';
import { useCurrentLine } from './use-current-line.ts';
import { useHoverValue } from './values/use-hover-value.ts';

/** The file to open first: it contains the steps of SyncPod in order. */
const entry = 'packages/kuberuntime/src/sync/sync-pod.ts';

const openFinder = (): void => openDialog('sources');

function useMarks(
  path: string,
  points: readonly CodePoint[],
  source: SourceLocation | undefined,
  isStopped: boolean,
  canChange: boolean,
): SourceMarks {
  const all = useBreakpoints();
  const pod = useSelectedTrack();
  const hasDebugger = useDebugState() !== undefined;
  return useMemo(() => {
    const here = points.filter((point) => point.source.path === path);
    return {
      current: source?.path === path ? source.line : undefined,
      isStopped,
      breakpoints: new Set(
        all.flatMap(({ source: at, spec }) =>
          at?.path === path && spec.enabled !== false && scopeFor(spec, pod) !== undefined ? [at.line] : [],
        ),
      ),
      stoppable: new Set(hasDebugger && canChange ? here.map((point) => point.source.line) : []),
      upstream: new Map(
        here.flatMap(({ source: { line }, upstream }) => (upstream ? [[line, upstream] as const] : [])),
      ),
    };
  }, [all, pod, hasDebugger, canChange, path, points, source, isStopped]);
}

export default function CodeTab() {
  const session = useSession();
  const t = useT();
  const refusal = useRefusal('breakpoints');
  const cannotRun = useRefusal();
  const pod = useSelectedTrack();
  const uid = pod?.uid;
  const points = useCodePoints();
  const all = useBreakpoints();
  const hasDebugger = useDebugState() !== undefined;
  const { source, isStopped, upstream } = useCurrentLine(points);
  const valueOf = useHoverValue();
  const chosen = useCodePlace(({ place }) => place);
  const [line, setLine] = useState<number>();
  const [menu, setMenu] = useState<LineMenuPlace>();
  const path = chosen?.path ?? source?.path ?? entry;
  // Keep a chosen file open until the current line moves to another place.
  const before = useRef(source);
  useEffect(() => {
    if (before.current === source) return;
    before.current = source;
    showSource(undefined);
  }, [source]);
  const marks = useMarks(path, points, source, isStopped, refusal === undefined);
  const canRun = hasDebugger && cannotRun === undefined && uid !== undefined;
  const onToggle = (at: number, scope: BreakpointScope = 'pod'): void => {
    const set = all.find(
      ({ source: place, spec }) => place?.path === path && place.line === at && scopeFor(spec, pod) !== undefined,
    );
    if (refusal !== undefined || (!set && !marks.stoppable.has(at))) return;
    const spec: BreakpointSpec = { source: { path, line: at }, ...scopeFields(scope, pod) };
    void (set ? removeBreakpoint(session, set.id) : saveBreakpoint(session, spec));
  };
  const onRunTo = (at: number): void => {
    if (canRun && marks.stoppable.has(at)) void runToLine(session, uid, { path, line: at });
  };
  const isStoppable = line !== undefined && marks.stoppable.has(line);
  const name = (line === undefined ? undefined : marks.upstream.get(line)) ?? upstream;
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <span className={styles.file} title={t(codeMessages.openFile)}>
          <Button icon="search" aria-label={t(codeMessages.fileName, { name: shortPath(path) })} onPress={openFinder}>
            {shortPath(path)}
          </Button>
        </span>
        {source && path !== source.path && (
          <Button kind="quiet" onPress={() => showSource(undefined)}>
            {t(codeMessages.back)}
          </Button>
        )}
        {name && (
          <span className={styles.upstream} title={t(codeMessages.upstreamTitle)}>
            {t(codeMessages.upstream, { name: '' })}
            <code>{name}</code>
          </span>
        )}
        <span className={styles.gap} />
        {hasDebugger && line !== undefined && (
          <div className={styles.line} role="group" aria-label={t(codeMessages.line, { line })}>
            <span className={styles.number}>{t(codeMessages.line, { line })}</span>
            <Button
              kind="quiet"
              icon="breakpoint"
              refusal={refusal}
              isDisabled={!(isStoppable || marks.breakpoints.has(line))}
              onPress={() => onToggle(line)}
            >
              {t(marks.breakpoints.has(line) ? codeMessages.removeBreakpoint : codeMessages.setBreakpoint)}
            </Button>
            <Button
              kind="quiet"
              icon="play"
              refusal={refusal}
              isDisabled={!canRun || !isStoppable}
              onPress={() => onRunTo(line)}
            >
              {t(codeMessages.runToHere)}
            </Button>
          </div>
        )}
      </header>
      <Source
        key={path}
        path={path}
        startAt={chosen}
        marks={marks}
        onToggle={onToggle}
        onRunTo={onRunTo}
        onLine={setLine}
        onMenu={(at, x, y) => hasDebugger && setMenu({ line: at, x, y })}
        valueOf={valueOf}
      />
      {menu && (
        <LineMenu
          place={menu}
          hasBreakpoint={marks.breakpoints.has(menu.line)}
          isStoppable={marks.stoppable.has(menu.line)}
          canRun={canRun}
          onToggle={(scope) => onToggle(menu.line, scope)}
          onRunTo={() => onRunTo(menu.line)}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  );
}
