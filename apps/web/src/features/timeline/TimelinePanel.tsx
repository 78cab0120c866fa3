/** Shows the timeline or its table, with the buttons of both. */
import type { PodTrack } from '@podscope/trace';
import { useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { IconButton, IconToggle, Toggle } from '../../base/ui/fields/Button.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { useView } from '../../node/address/view-store.ts';
import { usePodValue } from '../../node/run/use-run.ts';
import { openDialog } from '../../node/view/interface.ts';
import { useLaneView } from './lane-view.ts';
import { timelineMessages } from './messages.en.ts';
import { TimelineFind } from './TimelineFind.tsx';
import styles from './TimelinePanel.module.css';
import { TimelineView } from './TimelineView.tsx';
import { timelineHandle, useTimelineHandle } from './timeline-handle.ts';

const TimelineTable = lazyPart(() => import('./TimelineTable.tsx'));
const LaneMenu = lazyPart(() => import('./LaneMenu.tsx'));

const isGone = (pod: PodTrack | undefined): boolean => pod?.deletedAt !== undefined;
const nameOf = (pod: PodTrack | undefined): string => pod?.name ?? '';

/** Renders the button of the lanes menu. The menu is loaded when the button is first pressed. */
function Lanes({ uid, ofTable = false }: { readonly uid: string; readonly ofTable?: boolean }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        icon="lanes"
        label={t(timelineMessages.lanes)}
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      />
      {isOpen && <LaneMenu uid={uid} ofTable={ofTable} button={button} onClose={() => setOpen(false)} />}
    </>
  );
}

export function TimelinePanel({ pod }: { readonly pod: PodTrack }) {
  const t = useT();
  const follow = useView((view) => view.follow);
  const isFolding = useTimelineHandle((handle) => handle.isFolding);
  const [isTable, setTable] = useState(false);
  const isOverview = useLaneView((view) => view.isOverview);
  const isOver = usePodValue(pod.uid, isGone);
  const name = usePodValue(pod.uid, nameOf);
  return (
    <section className={styles.panel} aria-label={t(timelineMessages.title)}>
      <div className={styles.bar} data-noise="" role="toolbar" aria-label={t(timelineMessages.title)}>
        <h2 className={styles.title}>{t(timelineMessages.title)}</h2>
        {!isTable && (
          <>
            <TimelineFind />
            <Toggle
              icon="pods"
              aria-label={t(timelineMessages.overview)}
              isSelected={isOverview}
              onChange={(on) => useLaneView.setState({ isOverview: on })}
            >
              <span className={styles.word}>{t(timelineMessages.overview)}</span>
            </Toggle>
            {(!isOver || isOverview) && (
              <Toggle
                icon="follow"
                aria-label={t(timelineMessages.follow)}
                isSelected={follow}
                onChange={(on) => timelineHandle()?.follow(on)}
              >
                <span className={styles.word}>{t(timelineMessages.follow)}</span>
              </Toggle>
            )}
            {!isOverview && <Lanes uid={pod.uid} />}
            <IconToggle
              icon="fold"
              label={t(timelineMessages.fold)}
              shortcut="G"
              isSelected={isFolding}
              onChange={(on) => timelineHandle()?.setFolding(on)}
            />
            <IconButton
              icon="fit"
              label={t(timelineMessages.fit)}
              shortcut="F"
              onPress={() => timelineHandle()?.fit()}
            />
            <IconButton
              icon="zoomOut"
              label={t(timelineMessages.zoomOut)}
              shortcut="S"
              onPress={() => timelineHandle()?.zoomBy(1 / 1.6)}
            />
            <IconButton
              icon="zoomIn"
              label={t(timelineMessages.zoomIn)}
              shortcut="W"
              onPress={() => timelineHandle()?.zoomBy(1.6)}
            />
          </>
        )}
        {isTable && <Lanes uid={pod.uid} ofTable />}
        <span className={styles.spare}>
          <IconButton icon="info" label={t(timelineMessages.legend)} onPress={() => openDialog('guide')} />
        </span>
        <IconToggle icon="table" label={t(timelineMessages.showTable)} isSelected={isTable} onChange={setTable} />
      </div>
      <div className={styles.content}>
        {isTable ? (
          <TimelineTable pod={pod} />
        ) : (
          <TimelineView key={isOverview ? 'all' : pod.uid} uid={isOverview ? undefined : pod.uid} name={name} />
        )}
      </div>
    </section>
  );
}
