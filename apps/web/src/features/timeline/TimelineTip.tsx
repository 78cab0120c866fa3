/** Renders the tooltip of the item under the pointer. */
import {
  describeItem,
  describeMarker,
  type TimelineHover,
  type TimelineModel,
  type TimelineWords,
} from '@podscope/timeline';
import { createPortal } from 'react-dom';
import { useT } from '../../base/i18n/i18n.ts';
import { timelineMessages } from './messages.en.ts';
import styles from './TimelineTip.module.css';

interface TimelineTipProps {
  readonly hover: TimelineHover;
  readonly model: TimelineModel;
  readonly now: number;
  readonly words: TimelineWords;
}

const distance = 14;

export function TimelineTip({ hover, model, now, words }: TimelineTipProps) {
  const t = useT();
  const { item, marker, lane, clientX, clientY, count } = hover;
  const description = item
    ? describeItem(item, lane, model, { now, words })
    : marker
      ? describeMarker(marker, lane, model, { now, words })
      : undefined;
  if (!description) return null;
  // Place the tooltip on the side where the window has more space.
  const horizontal =
    clientX > innerWidth / 2 ? { right: innerWidth - clientX + distance } : { left: clientX + distance };
  const vertical =
    clientY > innerHeight / 2 ? { bottom: innerHeight - clientY + distance } : { top: clientY + distance };
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
      {count > 1 && <p className={styles.more}>{t(timelineMessages.more, { count: count - 1 })}</p>}
    </div>,
    document.body,
  );
}
