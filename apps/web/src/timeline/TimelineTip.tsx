/** The numbers of what lies under the pointer. */
import { describeItem, describeMarker, type TimelineHover, type TimelineModel } from '@podscope/timeline';
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { formatCount } from '../ui/format.ts';
import styles from './TimelineTip.module.css';

interface TimelineTipProps {
  readonly hover: TimelineHover;
  readonly model: TimelineModel;
  readonly now: number;
}

const distance = 14;

export function TimelineTip({ hover, model, now }: TimelineTipProps) {
  const { item, marker, lane, clientX, clientY, count } = hover;
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = box.current ?? {};
    setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
  });
  const description = item ? describeItem(item, lane, model, now) : marker ? describeMarker(marker, lane, model) : undefined;
  if (!description) return null;
  // On the other side of the pointer where it would leave the window.
  const left = clientX + distance + size.width > innerWidth ? clientX - distance - size.width : clientX + distance;
  const top = clientY + distance + size.height > innerHeight ? clientY - distance - size.height : clientY + distance;
  return createPortal(
    <div ref={box} className={styles.tip} style={{ left: Math.max(4, left), top: Math.max(4, top) }} aria-hidden="true">
      <p className={styles.title}>{description.title}</p>
      <dl>
        {description.rows.map(([name, value]) => (
          <div key={name} className={styles.row}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {count > 1 && <p className={styles.more}>and {formatCount(count - 1, 'other')} too close to tell apart: zoom in</p>}
    </div>,
    document.body,
  );
}
