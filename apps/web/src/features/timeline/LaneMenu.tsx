/** Renders the menu of the lanes: collapse, sort, pin and hide. Default export: loaded when first opened. */
import {
  collapsesByDefault,
  isContainerLane,
  LaneArranger,
  laneOrders,
  nodeLaneId,
  RunLanes,
} from '@podscope/timeline';
import { type RefObject, useMemo } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { IconButton, IconToggle } from '../../base/ui/fields/Button.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { Switch } from '../../base/ui/fields/Switch.tsx';
import { MiddleText } from '../../base/ui/text/MiddleText.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { usePod } from '../../node/run/use-run.ts';
import styles from './LaneMenu.module.css';
import { moveLane, toggleLane, useLaneView } from './lane-view.ts';
import { timelineMessages as texts } from './messages.en.ts';
import { useTimelineWords } from './timeline-words.ts';

interface LaneMenuProps {
  readonly uid: string;
  /** True if the menu belongs to the table, which isn't divided into lanes: only what is shown can be chosen. */
  readonly ofTable: boolean;
  /** The button that opened the menu. It gets the focus back. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

export default function LaneMenu({ uid, ofTable, button, onClose }: LaneMenuProps) {
  const t = useT();
  const { run } = useSession();
  const words = useTimelineWords();
  const versioned = usePod(uid);
  const { isNodeExpanded, collapses, order, sequence, pinned, hidden } = useLaneView();
  const lanes = useMemo(
    () =>
      new RunLanes(words)
        .model(run.fold, versioned.pod ? [versioned.pod.uid] : [])
        .lanes.filter(({ kind }) => kind !== 'probes'),
    [run, versioned, words],
  );
  // The menu lists all lanes in the order of the timeline, also the hidden and the collapsed ones.
  const listed = useMemo(
    () =>
      new LaneArranger(words).arrange(lanes, {
        collapses: false,
        order,
        sequence,
        pinned: new Set(),
        hidden: new Set(),
      }),
    [lanes, words, order, sequence],
  );
  const hasNode = run.fold.nodeSpans().size > 0;
  const nodeSwitch = t(ofTable ? texts.nodeInTable : texts.expandNode);
  const ids = listed.map(({ id }) => id);
  const canCollapse = !ofTable && lanes.filter(isContainerLane).length > 1;
  const canSort = canCollapse || (!ofTable && order === 'manual');
  return (
    <Popover
      className={styles.popover}
      triggerRef={button}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement="bottom end"
      offset={6}
    >
      <Dialog className={styles.dialog} aria-label={t(texts.lanes)}>
        {(canSort || hasNode) && (
          <div className={styles.options}>
            {canCollapse && (
              <span className={styles.option}>
                <Switch
                  label={t(texts.collapse)}
                  isSelected={collapses ?? collapsesByDefault(lanes)}
                  onChange={(on) => useLaneView.setState({ collapses: on })}
                />
                {t(texts.collapse)}
              </span>
            )}
            {canSort && (
              <Select
                label={t(texts.order)}
                value={order}
                options={laneOrders.map((id) => ({ id, label: t(texts[`by${id}`]) }))}
                onChange={(chosen) => useLaneView.setState({ order: chosen })}
              />
            )}
            {hasNode && (
              <span className={styles.option}>
                <Switch
                  label={nodeSwitch}
                  isSelected={isNodeExpanded}
                  isDisabled={hidden.has(nodeLaneId)}
                  onChange={(on) => useLaneView.setState({ isNodeExpanded: on })}
                />
                {nodeSwitch}
              </span>
            )}
          </div>
        )}
        <ul className={styles.lanes}>
          {listed.map(({ id, label }, at) => (
            <li key={id} className={styles.lane}>
              <span className={styles.name}>
                <MiddleText>{label}</MiddleText>
              </span>
              {!ofTable && (
                <>
                  <IconButton
                    icon="chevronUp"
                    label={t(texts.moveUp, { lane: label })}
                    isDisabled={at === 0}
                    onPress={() => moveLane(ids, id, -1)}
                  />
                  <IconButton
                    icon="chevronDown"
                    label={t(texts.moveDown, { lane: label })}
                    isDisabled={at === listed.length - 1}
                    onPress={() => moveLane(ids, id, 1)}
                  />
                  <IconToggle
                    icon="pin"
                    label={t(texts.pin, { lane: label })}
                    isSelected={pinned.has(id)}
                    onChange={() => toggleLane('pinned', id)}
                  />
                </>
              )}
              <IconToggle
                icon={hidden.has(id) ? 'hidden' : 'shown'}
                label={t(texts.show, { lane: label })}
                isSelected={!hidden.has(id)}
                onChange={() => toggleLane('hidden', id)}
              />
            </li>
          ))}
          {hasNode && (
            <li className={styles.lane}>
              <span className={styles.name}>{words.lanes.node}</span>
              <IconToggle
                icon={hidden.has(nodeLaneId) ? 'hidden' : 'shown'}
                label={t(texts.show, { lane: words.lanes.node })}
                isSelected={!hidden.has(nodeLaneId)}
                onChange={() => toggleLane('hidden', nodeLaneId)}
              />
            </li>
          )}
        </ul>
      </Dialog>
    </Popover>
  );
}
