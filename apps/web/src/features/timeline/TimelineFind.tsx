/** Renders the search field of the timeline: Enter finds the next item, Shift+Enter the previous one. */
import { useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { timelineMessages } from './messages.en.ts';
import styles from './TimelinePanel.module.css';
import { timelineHandle } from './timeline-handle.ts';

export const timelineFindId = 'timeline-find';

export function TimelineFind() {
  const t = useT();
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  return (
    <div className={styles.find}>
      <SearchField
        id={timelineFindId}
        label={t(timelineMessages.find)}
        value={text}
        problem={isMissing ? t(timelineMessages.notFound) : undefined}
        onChange={(next) => {
          setText(next);
          setMissing(false);
        }}
        onEnter={(isBackwards) =>
          setMissing(text.trim() !== '' && timelineHandle()?.find(text, isBackwards ? -1 : 1) === false)
        }
        onLeave={() => timelineHandle()?.focus()}
      />
    </div>
  );
}
