/** Draws a sync as a flame chart with its critical path. Default export: loaded when first opened. */
import { formatDuration, ticks } from '@podscope/timeline';
import type { SpanRecord, SyncRecord } from '@podscope/trace';
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState, type WheelEvent } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { useScale } from '../../base/theme/scale.ts';
import { IconButton } from '../../base/ui/fields/Button.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useExactNow } from '../../node/run/use-now.ts';
import type { VersionedPod } from '../../node/run/use-run.ts';
import { spanSubject } from '../../node/syncs/span-subject.ts';
import { criticalPath, type PathShare, pathShares } from './critical-path.ts';
import { type FlameBar, type FlameCluster, flameChart, visibleBars } from './flame-layout.ts';
import { waterfallMessages } from './messages.en.ts';
import styles from './Waterfall.module.css';

interface WaterfallProps {
  readonly sync: SyncRecord;
  /** The pod with its version. The object is new after each change, although the pod's record is updated in place. */
  readonly pod: VersionedPod;
  readonly selected: number | undefined;
  readonly onSelect: (span: number | undefined) => void;
}

/** Height of a row in pixels, at a scale of 1. */
const usualRowHeight = 22;
const mostZoom = 4_000;

/** Width before the chart is measured, in pixels. */
const firstWidth = 800;

const nameOf = (t: typeof translate, span: SpanRecord): string =>
  [pointTitle(t, span.point, span.title), spanSubject(span)].filter(Boolean).join(' ');

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const groups: Readonly<Record<string, string>> = {
  worker: 'kubelet',
  loop: 'kubelet',
  kubeletStep: 'kubelet',
  sync: 'kuberuntime',
  syncStep: 'kuberuntime',
  cri: 'cri',
  criStep: 'runtime',
  docker: 'runtime',
  cni: 'runtime',
  hook: 'hook',
};

/** Returns the group of a span, which determines the color of its bar. */
const groupOf = ({ kind, point }: SpanRecord): string =>
  groups[kind] ?? (point.startsWith('kubelet.') ? 'kubelet' : 'kuberuntime');

/** Returns the index of the bar to which a key moves. */
function moved(bars: readonly FlameBar[], from: number, key: string): number {
  const siblings = (parent: number): readonly number[] =>
    bars.flatMap((bar, index) => (bar.parent === parent ? [index] : []));
  const beside = (by: number): number => {
    const list = siblings(bars[from]?.parent ?? -1);
    return list[list.indexOf(from) + by] ?? from;
  };
  switch (key) {
    case 'ArrowRight':
      return beside(1);
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowDown':
      return siblings(from)[0] ?? from;
    case 'ArrowUp':
      return Math.max(0, bars[from]?.parent ?? 0);
    case 'Home':
      return 0;
    default:
      return bars.length - 1;
  }
}

const moveKeys: ReadonlySet<string> = new Set(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End']);

/** Lists the spans that the sync waited for, the longest first. */
function PathSummary({
  shares,
  selected,
  onSelect,
}: {
  readonly shares: readonly PathShare[];
  readonly selected: number | undefined;
  readonly onSelect: WaterfallProps['onSelect'];
}) {
  const t = useT();
  const total = shares.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  if (shares.length === 0) return <p className={styles.summary}>{t(waterfallMessages.noTime)}</p>;
  return (
    <div className={styles.summary}>
      <span className={styles.total}>{t(waterfallMessages.pathOf, { duration: formatDuration(total) })}</span>
      <ol className={styles.shares} aria-label={t(waterfallMessages.criticalPath)}>
        {shares.slice(0, 6).map(({ span, milliseconds, share }) => (
          <li key={span.id}>
            <button
              type="button"
              className={cx(styles.share, span.id === selected && styles.chosen)}
              onClick={() => onSelect(span.id)}
            >
              {nameOf(t, span)}{' '}
              <span className={styles.quiet}>{`${formatDuration(milliseconds)} · ${percent(share)}`}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

export default function Waterfall({ sync, pod, selected, onSelect }: WaterfallProps) {
  const t = useT();
  const id = useId();
  const { run } = useSession();
  const root = run.span(sync.span);
  const now = useExactNow(sync.end === undefined);
  const [width, setWidth] = useState(firstWidth);
  const [zoom, setZoom] = useState(1);
  const [left, setLeft] = useState(0);
  const [active, setActive] = useState(-1);
  const element = useRef<HTMLDivElement>(null);
  const rowHeight = usualRowHeight * useScale();
  const spanOf = useCallback((span: number | undefined) => run.span(span), [run]);
  const end = sync.end === undefined ? now : sync.end;
  const { chart, path, shares } = useMemo(() => {
    // The pod's records are updated in place. Reading the version makes this memo compute again after each update.
    if (!root || pod.version < 0) return { chart: undefined, path: [], shares: [] };
    const segments = criticalPath(root, spanOf, end);
    return { chart: flameChart(root, spanOf, end), path: segments, shares: pathShares(segments) };
  }, [root, pod, spanOf, end]);
  const scroller = useCallback((chartElement: HTMLDivElement | null) => {
    element.current = chartElement;
    if (!chartElement) return undefined;
    const measure = (): void => setWidth(chartElement.clientWidth || firstWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(chartElement);
    return () => observer.disconnect();
  }, []);
  const length = Math.max(0.001, (chart?.end ?? 0) - (chart?.start ?? 0));
  const content = Math.max(1, width - 8) * zoom;
  const scale = content / length;
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || !element.current) return;
    element.current.scrollLeft = wanted.current;
    wanted.current = undefined;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the chart has its new width after a zoom
  }, [zoom]);
  if (!chart) return null;

  /**
   * Zooms. The time at position `x` of the view stays at that position.
   * @param x pixels from the left
   */
  const zoomBy = (factor: number, x = width / 2): void => {
    const next = Math.min(mostZoom, Math.max(1, zoom * factor));
    wanted.current = ((left + x) * next) / zoom - x;
    setZoom(next);
  };
  const reveal = (index: number): void => {
    const bar = chart.bars[index];
    if (!bar || !element.current) return;
    const [from, to] = [(bar.start - chart.start) * scale, (bar.end - chart.start) * scale];
    if (to < left || from > left + width) element.current.scrollLeft = Math.max(0, from - width / 4);
    const top = bar.row * rowHeight;
    const { scrollTop, clientHeight } = element.current;
    if (top < scrollTop || top + rowHeight > scrollTop + clientHeight)
      element.current.scrollTop = Math.max(0, top - rowHeight);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = active >= 0 ? active : chart.bars.findIndex(({ span }) => span.id === selected);
    if (moveKeys.has(event.key)) {
      const to = from < 0 ? 0 : moved(chart.bars, from, event.key);
      setActive(to);
      reveal(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      const span = chart.bars[from]?.span.id;
      onSelect(span === selected ? undefined : span);
    } else if (event.key === '+' || event.key === '=') zoomBy(1.6);
    else if (event.key === '-') zoomBy(1 / 1.6);
    else if (event.key === '0') setZoom(1);
    else return;
    event.preventDefault();
  };
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    const { left: edge } = event.currentTarget.getBoundingClientRect();
    zoomBy(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - edge);
  };

  const shareOf = new Map(shares.map(({ span, share }) => [span.id, share]));
  const selectedBar = chart.bars.findIndex(({ span }) => span.id === selected);
  const clusters = visibleBars(chart, scale, left - width / 2, left + width * 1.5);
  // Draw the active and the selected bar separately, so that they don't disappear in a cluster.
  const single = [...new Set([active, selectedBar])].flatMap((index): FlameCluster[] => {
    const bar = chart.bars[index];
    if (!bar || clusters.some(({ bars }) => bars.length === 1 && bars[0] === index)) return [];
    const at = (bar.start - chart.start) * scale;
    return [{ bars: [index], row: bar.row, left: at, width: Math.max(4, (bar.end - bar.start) * scale) }];
  });
  const spoken = (index: number): string => {
    const bar = chart.bars[index];
    if (!bar) return '';
    const { span } = bar;
    const share = shareOf.get(span.id);
    return t(share === undefined ? waterfallMessages.bar : waterfallMessages.barOnPath, {
      title: nameOf(t, span),
      outcome: t(waterfallMessages[span.end === undefined ? 'open' : (span.outcome ?? 'ok')]),
      from: formatDuration(bar.start - chart.start),
      duration: formatDuration(bar.end - bar.start),
      share: share === undefined ? '' : percent(share),
    });
  };
  const view = { start: chart.start + left / scale, end: chart.start + (left + width) / scale };
  // Omit a label at the right edge, where it would be cut off.
  const axis = ticks(view, 90 / scale, chart.start).times.filter((time) => (time - view.start) * scale < width - 56);
  return (
    <div className={styles.waterfall}>
      <div className={styles.bar}>
        <PathSummary shares={shares} selected={selected} onSelect={onSelect} />
        <IconButton
          icon="zoomOut"
          label={t(waterfallMessages.zoomOut)}
          isDisabled={zoom <= 1}
          onPress={() => zoomBy(1 / 1.6)}
        />
        <IconButton icon="zoomIn" label={t(waterfallMessages.zoomIn)} onPress={() => zoomBy(1.6)} />
        <IconButton icon="fit" label={t(waterfallMessages.fit)} isDisabled={zoom <= 1} onPress={() => setZoom(1)} />
      </div>
      <div className={styles.axis} aria-hidden="true">
        {axis.map((time) => (
          <span key={time} className={styles.tick} style={{ left: (time - view.start) * scale }}>
            {formatDuration(time - chart.start)}
          </span>
        ))}
      </div>
      <div
        ref={scroller}
        className={styles.chart}
        role="tree"
        aria-label={t(waterfallMessages.label, { number: sync.number })}
        tabIndex={0}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
        onWheel={onWheel}
        onScroll={({ currentTarget }) => setLeft(currentTarget.scrollLeft)}
      >
        <div
          className={styles.content}
          role="presentation"
          style={{ width: content, height: chart.rows * rowHeight + 8 }}
        >
          {[...clusters, ...single].map(({ bars, row, left: x, width: wide }) => {
            const [index = 0] = bars;
            const bar = chart.bars[index];
            if (!bar) return null;
            const { span } = bar;
            const isCluster = bars.length > 1;
            const choose = (): void => {
              // A click on a cluster selects its next bar, so that repeated clicks reach all of them.
              const next = bars[(bars.indexOf(selectedBar) + 1) % bars.length] ?? index;
              setActive(next);
              onSelect(!isCluster && span.id === selected ? undefined : chart.bars[next]?.span.id);
            };
            const label = isCluster
              ? t(waterfallMessages.cluster, {
                  count: bars.length,
                  titles: bars
                    .flatMap((each) => chart.bars[each]?.span ?? [])
                    .map((each) => nameOf(t, each))
                    .join(', '),
                })
              : spoken(index);
            return (
              // The tree has the focus and handles the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={isCluster ? `cluster-${index}` : span.id}
                id={`${id}-${index}${isCluster ? '-cluster' : ''}`}
                role="treeitem"
                aria-level={bar.level}
                aria-label={label}
                aria-selected={!isCluster && span.id === selected}
                title={label}
                data-group={groupOf(span)}
                className={cx(
                  styles.span,
                  isCluster && styles.cluster,
                  span.outcome === 'error' && styles.failed,
                  span.end === undefined && styles.open,
                  index === active && !isCluster && styles.active,
                )}
                style={{ left: x, top: row * rowHeight, width: wide, height: rowHeight - 3 }}
                onClick={choose}
                onDoubleClick={() => {
                  const factor = length / Math.max(length / mostZoom, bar.end - bar.start) / zoom;
                  wanted.current = (bar.start - chart.start) * (scale / zoom) * Math.min(mostZoom, factor * zoom);
                  setZoom(Math.min(mostZoom, Math.max(1, factor * zoom)));
                }}
              >
                {wide > 24 && <span className={styles.label}>{isCluster ? bars.length : nameOf(t, span)}</span>}
              </div>
            );
          })}
          {path.map(({ span, from, to }) => {
            const row = chart.bars.find((bar) => bar.span === span)?.row ?? 0;
            return (
              <span
                key={`${span.id}-${from}`}
                className={styles.path}
                style={{
                  left: (from - chart.start) * scale,
                  width: Math.max(1, (to - from) * scale),
                  top: (row + 1) * rowHeight - 4,
                }}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
