/** Search field of the timeline: Enter finds the next item, Shift+Enter the previous one. */
import { useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { timelineMessages } from './messages.en.ts';
import styles from './TimelineFind.module.css';
import { timelineHandle } from './timeline-handle.ts';

export const timelineFindId = 'timeline-find';

export function TimelineFind() {
  const t = useT();
  const [isMissing, setMissing] = useState(false);
  return (
    <label className={styles.field}>
      <Icon name="search" size={13} />
      <input
        id={timelineFindId}
        className={styles.input}
        type="search"
        aria-label={t(timelineMessages.find)}
        placeholder={t(timelineMessages.find)}
        aria-invalid={isMissing}
        spellCheck={false}
        autoComplete="off"
        onChange={() => setMissing(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') timelineHandle()?.focus();
          if (event.key !== 'Enter') return;
          event.preventDefault();
          const text = event.currentTarget.value;
          setMissing(text.trim() !== '' && timelineHandle()?.find(text, event.shiftKey ? -1 : 1) === false);
        }}
      />
      {isMissing && (
        <span className={styles.missing} role="status">
          {t(timelineMessages.notFound)}
        </span>
      )}
    </label>
  );
}
