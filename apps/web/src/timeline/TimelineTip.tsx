/** The numbers of what lies under the pointer. */
import { describeItem, describeMarker, type TimelineHover, type TimelineModel } from '@podscope/timeline';
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
  const description = item ? describeItem(item, lane, model, now) : marker ? describeMarker(marker, lane, model) : undefined;
  if (!description) return null;
  // It grows away from the nearer edges of the window.
  const horizontal = clientX > innerWidth / 2 ? { right: innerWidth - clientX + distance } : { left: clientX + distance };
  const vertical = clientY > innerHeight / 2 ? { bottom: innerHeight - clientY + distance } : { top: clientY + distance };
  return createPortal(
    <div className={styles.tip} style={{ ...horizontal, ...vertical }} aria-hidden="true">
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
