/** The engine's own source, at the line that runs or that the selected span comes from. Default export: loaded when first opened. */
import type { BreakpointSpec, SourceLocation } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { removeBreakpoint, saveBreakpoint } from '../debug/debug-actions.ts';
import { useBreakpoints, usePoints, useStop } from '../debug/use-debug.ts';
import { useSession } from '../run/node-session.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { spanOf, useView } from '../state/view-store.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Select.tsx';
import styles from './CodeTab.module.css';
import { enginePaths, loadSource } from './engine-sources.ts';
import { type SourceMarks, SourceView } from './source-view.ts';

/** Where the flow is written down as a table of contents. */
const entry = 'packages/kuberuntime/src/sync-pod.ts';

const shortPath = (path: string): string => path.replace('packages/', '').replace('/src/', '/');

interface SourceProps {
  readonly path: string;
  readonly current: number | undefined;
  readonly isStopped: boolean;
  readonly breakpoints: ReadonlySet<number>;
  readonly stoppable: ReadonlySet<number>;
  readonly onToggle: (line: number) => void;
}

function Source({ path, current, isStopped, breakpoints, stoppable, onToggle }: SourceProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<SourceView>(undefined);
  const toggle = useRef(onToggle);
  useEffect(() => {
    toggle.current = onToggle;
  }, [onToggle]);
  const { data, error } = useQuery({ queryKey: ['source', path], queryFn: () => loadSource(path), staleTime: Number.POSITIVE_INFINITY });
  const marks = useRef<SourceMarks>(undefined);
  useEffect(() => {
    marks.current = { current, isStopped, breakpoints, stoppable };
    view.current?.mark(marks.current);
  }, [current, isStopped, breakpoints, stoppable]);
  useEffect(() => {
    if (!host.current || data === undefined) return undefined;
    const made = new SourceView(host.current, { text: data, label: path, onToggle: (line) => toggle.current(line) });
    if (marks.current) made.mark(marks.current);
    view.current = made;
    return () => {
      view.current = undefined;
      made.dispose();
    };
  }, [data, path]);
  if (error)
    return (
      <EmptyState icon="file" title={error.message}>
        The node runs another version of the engine than this page was built from.
      </EmptyState>
    );
  return <div ref={host} className={styles.host} />;
}

/** The line that the stop, or else the selected span, stands for. */
function useCurrent(): { readonly source: SourceLocation | undefined; readonly isStopped: boolean; readonly upstream: string | undefined } {
  const { run } = useSession();
  const points = usePoints();
  const { pod } = useSelectedPod();
  const stop = useStop(pod?.uid);
  const selected = useView((view) => spanOf(view.selected));
  const span = run.span(selected);
  return useMemo(() => {
    const isStopHere = stop !== undefined && (span === undefined || span.id === stop.span);
    const id = isStopHere ? stop.point : span?.point;
    const point = points?.points.find((each) => each.id === id);
    return { source: (isStopHere ? stop.source : undefined) ?? point?.source, isStopped: isStopHere, upstream: point?.upstream };
  }, [stop, span, points]);
}

export default function CodeTab() {
  const session = useSession();
  const points = usePoints();
  const all = useBreakpoints();
  const { source, isStopped, upstream } = useCurrent();
  const [chosen, setChosen] = useState<{ readonly path: string; readonly at: SourceLocation | undefined }>();
  // A file that was chosen stays until the flow is somewhere else.
  const path = chosen && chosen.at === source ? chosen.path : (source?.path ?? entry);
  const breakpoints = useMemo(
    () => new Set(all.flatMap((each) => (each.source?.path === path && each.spec.enabled !== false ? [each.source.line] : []))),
    [all, path],
  );
  const stoppable = useMemo(() => {
    const places = [...(points?.points ?? []), ...(points?.decisions ?? [])];
    return new Set(places.flatMap((place) => (place.source?.path === path ? [place.source.line] : [])));
  }, [points, path]);
  const onToggle = (line: number): void => {
    const set = all.find((each) => each.source?.path === path && each.source.line === line);
    const spec: BreakpointSpec = { source: { path, line } };
    void (set ? removeBreakpoint(session, set.id) : saveBreakpoint(session, spec));
  };
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <Select
          label="File"
          value={path}
          options={enginePaths.map((each) => ({ id: each, label: shortPath(each) }))}
          onChange={(next) => setChosen({ path: next, at: source })}
        />
        {upstream && (
          <span className={styles.upstream}>
            upstream: <code>{upstream}</code>
          </span>
        )}
      </header>
      <Source
        key={path}
        path={path}
        current={source?.path === path ? source.line : undefined}
        isStopped={isStopped}
        breakpoints={breakpoints}
        stoppable={stoppable}
        onToggle={onToggle}
      />
    </div>
  );
}
