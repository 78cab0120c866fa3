/** The log of a container: live, searchable, of this instance or the one before. Default export: it is loaded when first looked at. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useState } from 'react';
import { useIsConnected } from '../run/use-run.ts';
import { setPreference, usePreferences } from '../state/preferences.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { Toggle } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Select } from '../ui/Select.tsx';
import { LogBody } from './LogBody.tsx';
import styles from './LogsTab.module.css';
import { useLogTarget } from './log-target.ts';

/** The container to show when none was picked: the first app container that ran, or the last that ran at all. */
function defaultContainer({ containers }: PodTrack): ContainerTrack | undefined {
  const ran = containers.filter(({ attempts }) => attempts.length > 0);
  return ran.find(({ type }) => type === 'container') ?? ran.at(-1) ?? containers.find(({ type }) => type === 'container') ?? containers[0];
}

export default function LogsTab() {
  const { pod } = useSelectedPod();
  const { container, previous } = useLogTarget();
  const connected = useIsConnected();
  const wrap = usePreferences(({ logWrap }) => logWrap);
  const timestamps = usePreferences(({ logTimestamps }) => logTimestamps);
  const [search, setSearch] = useState('');
  const [follow, setFollow] = useState(true);
  const track = pod && (pod.containers.find(({ name }) => name === container) ?? defaultContainer(pod));
  if (!pod || !track) return <EmptyState icon="file" title="No container yet" />;
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Select
          label="Container"
          value={track.name}
          onChange={(chosen) => useLogTarget.setState({ container: chosen, previous: false })}
          options={pod.containers.map(({ name, type }) => ({ id: name, label: name, note: type === 'container' ? undefined : type }))}
        />
        <Select
          label="Instance"
          value={previous ? 'previous' : 'current'}
          onChange={(instance) => useLogTarget.setState({ container: track.name, previous: instance === 'previous' })}
          options={[
            { id: 'current', label: 'Current' },
            { id: 'previous', label: 'Previous' },
          ]}
        />
        <div className={styles.search}>
          <SearchField label="Search log" value={search} onChange={setSearch} />
        </div>
        <Toggle isSelected={timestamps} onChange={(logTimestamps) => setPreference({ logTimestamps })}>
          Times
        </Toggle>
        <Toggle isSelected={wrap} onChange={(logWrap) => setPreference({ logWrap })}>
          Wrap
        </Toggle>
        <Toggle isSelected={follow} onChange={setFollow}>
          Follow
        </Toggle>
      </div>
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
    </div>
  );
}
