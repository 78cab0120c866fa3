/** The log of a container: live, searchable, of this instance or the one before. Default export: it is loaded when first looked at. */
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useMemo, useState } from 'react';
import { setPreference, usePreferences } from '../state/preferences.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { Toggle } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Select } from '../ui/Select.tsx';
import { LogLines } from './LogLines.tsx';
import styles from './LogsTab.module.css';
import { useLogTarget } from './log-target.ts';
import { useLog } from './use-log.ts';

/** The container to show when none was picked: the first app container that ran, or the last that ran at all. */
function defaultContainer({ containers }: PodTrack): ContainerTrack | undefined {
  const ran = containers.filter(({ attempts }) => attempts.length > 0);
  return ran.find(({ type }) => type === 'container') ?? ran.at(-1) ?? containers.find(({ type }) => type === 'container') ?? containers[0];
}

export default function LogsTab() {
  const { pod, version } = useSelectedPod();
  const target = useLogTarget();
  const track = useMemo(() => pod && (pod.containers.find(({ name }) => name === target.container) ?? defaultContainer(pod)), [pod, version, target.container]);
  if (!pod || !track) return <EmptyState icon="file" title="No container yet" />;
  return <ContainerLog key={`${pod.uid} ${track.name} ${target.previous}`} pod={pod} track={track} previous={target.previous} />;
}

function ContainerLog({ pod, track, previous }: { readonly pod: PodTrack; readonly track: ContainerTrack; readonly previous: boolean }) {
  const wrap = usePreferences(({ logWrap }) => logWrap);
  const timestamps = usePreferences(({ logTimestamps }) => logTimestamps);
  const [search, setSearch] = useState('');
  const [follow, setFollow] = useState(true);
  const attempt = track.attempts.at(-1);
  const { lines, dropped, problem, isLoading, isFollowing } = useLog({
    namespace: pod.namespace,
    name: pod.name,
    container: track.name,
    previous,
    attempt: attempt?.startedAt === undefined ? undefined : attempt.attempt,
  });
  const shown = useMemo(() => {
    const needle = search.toLowerCase();
    return needle === '' ? lines : lines.filter(({ text, stream }) => stream !== 'divider' && text.toLowerCase().includes(needle));
  }, [lines, search]);
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Select
          label="Container"
          value={track.name}
          onChange={(container) => useLogTarget.setState({ container, previous: false })}
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
        {search !== '' && <span className={styles.count}>{shown.length.toLocaleString('en')} lines</span>}
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
      {shown.length === 0 ? (
        <EmptyState
          icon="file"
          busy={isLoading}
          title={
            isLoading ? 'Reading the log…' : (problem ?? (search !== '' ? 'No line matches' : isFollowing ? 'Nothing was printed yet' : 'The log is empty'))
          }
        />
      ) : (
        <LogLines
          lines={shown}
          search={search}
          wrap={wrap}
          timestamps={timestamps}
          follow={follow}
          onFollow={setFollow}
          dropped={dropped}
          label={`Log of ${track.name}`}
        />
      )}
      {shown.length > 0 && problem && <p className={styles.problem}>{problem}</p>}
    </div>
  );
}
