/** Shows one source file with its marks. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { EmptyState } from '../../../base/ui/layout/EmptyState.tsx';
import styles from '../CodeTab.module.css';
import { codeMessages } from '../messages.en.ts';
import { type CodePlace, firstDefinition } from './code-place.ts';
import { loadSource } from './engine-sources.ts';
import { type SourceMarks, SourceView, type SourceViewOptions } from './source-view.ts';

type Handlers = Omit<SourceViewOptions, 'text' | 'label'>;

interface SourceProps extends Handlers {
  readonly path: string;
  readonly marks: SourceMarks;
  /**
   * Line to show first in a file that the user chose. Without a line, the file opens at its first function. If
   * undefined, the current line is shown.
   */
  readonly startAt: CodePlace | undefined;
}

export function Source({ path, marks, startAt, ...handlers }: SourceProps) {
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<SourceView>(undefined);
  const latest = useRef<Handlers>(handlers);
  const shown = useRef<SourceMarks>(marks);
  useEffect(() => {
    latest.current = handlers;
  });
  const { data, error } = useQuery({
    queryKey: ['source', path],
    queryFn: () => loadSource(path),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    shown.current = marks;
    view.current?.mark(marks);
  }, [marks]);
  useEffect(() => {
    if (!host.current || data === undefined) return undefined;
    const made = new SourceView(host.current, {
      text: data,
      label: path,
      onToggle: (line) => latest.current.onToggle(line),
      onRunTo: (line) => latest.current.onRunTo(line),
      onLine: (line) => latest.current.onLine(line),
      onMenu: (line, x, y) => latest.current.onMenu(line, x, y),
      valueOf: (name) => latest.current.valueOf(name),
    });
    made.mark(shown.current);
    view.current = made;
    return () => {
      view.current = undefined;
      made.dispose();
    };
  }, [data, path]);
  // This effect runs after the effect that creates the editor view.
  useEffect(() => {
    if (!startAt || data === undefined) return;
    view.current?.scrollTo(startAt.line ?? firstDefinition(data));
  }, [startAt, data]);
  if (error)
    return (
      <EmptyState icon="file" title={error.message}>
        {t(codeMessages.otherVersion)}
      </EmptyState>
    );
  return <div ref={host} className={styles.host} />;
}
