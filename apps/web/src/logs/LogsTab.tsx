/** The log of a container, or a shell in it. Default export: it is loaded when first looked at. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { containerTypeMessages } from '../inspector/messages.en.ts';
import { useIsConnected } from '../run/use-run.ts';
import { setPreference, usePreferences } from '../state/preferences.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { Toggle } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SegmentedControl } from '../ui/SegmentedControl.tsx';
import { Select } from '../ui/Select.tsx';
import { LogBody } from './LogBody.tsx';
import styles from './LogsTab.module.css';
import { useLogTarget } from './log-target.ts';
import { logMessages } from './messages.en.ts';
import { TerminalPane } from './terminal/TerminalPane.tsx';

/** The container to show when none was picked: the first app container that ran, or the last that ran at all. */
function defaultContainer({ containers }: PodTrack): ContainerTrack | undefined {
  const ran = containers.filter(({ attempts }) => attempts.length > 0);
  return ran.find(({ type }) => type === 'container') ?? ran.at(-1) ?? containers.find(({ type }) => type === 'container') ?? containers[0];
}

export default function LogsTab() {
  const t = useT();
  const { pod } = useSelectedPod();
  const { container, previous, mode } = useLogTarget();
  const connected = useIsConnected();
  const wrap = usePreferences(({ logWrap }) => logWrap);
  const timestamps = usePreferences(({ logTimestamps }) => logTimestamps);
  const [search, setSearch] = useState('');
  const [follow, setFollow] = useState(true);
  const track = pod && (pod.containers.find(({ name }) => name === container) ?? defaultContainer(pod));
  if (!pod || !track) return <EmptyState icon="file" title={t(logMessages.noContainer)} />;
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <SegmentedControl
          label={t(logMessages.view)}
          value={mode}
          options={[
            { id: 'log', label: t(logMessages.log) },
            { id: 'terminal', label: t(logMessages.terminal) },
          ]}
          onChange={(next) => useLogTarget.setState({ mode: next })}
        />
        <Select
          label={t(logMessages.container)}
          value={track.name}
          onChange={(chosen) => useLogTarget.setState({ container: chosen, previous: false })}
          options={pod.containers.map(({ name, type }) => ({ id: name, label: name, note: type === 'container' ? undefined : t(containerTypeMessages[type]) }))}
        />
        {mode === 'log' && (
          <>
            <Select
              label={t(logMessages.instance)}
              value={previous ? 'previous' : 'current'}
              onChange={(instance) => useLogTarget.setState({ container: track.name, previous: instance === 'previous' })}
              options={[
                { id: 'current', label: t(logMessages.current) },
                { id: 'previous', label: t(logMessages.previous) },
              ]}
            />
            <div className={styles.search}>
              <SearchField label={t(logMessages.search)} value={search} onChange={setSearch} />
            </div>
            <Toggle isSelected={timestamps} onChange={(logTimestamps) => setPreference({ logTimestamps })}>
              {t(logMessages.times)}
            </Toggle>
            <Toggle isSelected={wrap} onChange={(logWrap) => setPreference({ logWrap })}>
              {t(logMessages.wrap)}
            </Toggle>
            <Toggle isSelected={follow} onChange={setFollow}>
              {t(logMessages.follow)}
            </Toggle>
          </>
        )}
      </div>
      {mode === 'terminal' ? (
        <TerminalPane pod={pod} track={track} />
      ) : (
        <LogBody
          // After an absence it is read again: what was missed is in it then.
          key={`${pod.uid} ${track.name} ${previous} ${connected}`}
          pod={pod}
          track={track}
          previous={previous}
          connected={connected}
          search={search}
          follow={follow}
          onFollow={setFollow}
          wrap={wrap}
          timestamps={timestamps}
        />
      )}
    </div>
  );
}
