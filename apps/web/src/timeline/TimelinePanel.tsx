/** The timeline with its buttons, and the table that says the same. */
import type { PodTrack } from '@podscope/trace';
import { useState } from 'react';
import { useView } from '../state/view-store.ts';
import { IconButton, IconToggle, Toggle } from '../ui/Button.tsx';
import styles from './TimelinePanel.module.css';
import { TimelineTable } from './TimelineTable.tsx';
import { TimelineView } from './TimelineView.tsx';
import { timelineHandle } from './timeline-handle.ts';

export function TimelinePanel({ pod }: { readonly pod: PodTrack }) {
  const follow = useView((view) => view.follow);
  const [isTable, setTable] = useState(false);
  const isOver = pod.deletedAt !== undefined;
  return (
    <section className={styles.panel} aria-label="Timeline">
      <div className={styles.bar} role="toolbar" aria-label="Timeline">
        <h2 className={styles.title}>Timeline</h2>
        {!isTable && (
          <>
            {!isOver && (
              <Toggle icon="follow" isSelected={follow} onChange={(on) => timelineHandle()?.follow(on)}>
                Follow
              </Toggle>
            )}
            <IconButton icon="fit" label="Fit everything" shortcut="F" onPress={() => timelineHandle()?.fit()} />
            <IconButton icon="zoomOut" label="Zoom out" shortcut="S" onPress={() => timelineHandle()?.zoomBy(1 / 1.6)} />
            <IconButton icon="zoomIn" label="Zoom in" shortcut="W" onPress={() => timelineHandle()?.zoomBy(1.6)} />
          </>
        )}
        <IconToggle icon="table" label="Show as table" isSelected={isTable} onChange={setTable} />
      </div>
      <div className={styles.content}>{isTable ? <TimelineTable pod={pod} /> : <TimelineView key={pod.uid} uid={pod.uid} name={pod.name} />}</div>
    </section>
  );
}
