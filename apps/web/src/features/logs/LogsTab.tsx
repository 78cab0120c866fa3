/** Shows the log of a container or a shell in it. Default export: loaded when first opened. */

import { errorMessage } from '@podscope/base';
import type { ContainerTrack, PodTrack } from '@podscope/trace';
import { useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { setPreference, usePreferences } from '../../base/preferences/preferences.ts';
import { IconButton, Toggle } from '../../base/ui/fields/Button.tsx';
import { Choice } from '../../base/ui/fields/Choice.tsx';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { containerTypeMessages } from '../../node/pods/messages.en.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useIsConnected } from '../../node/run/use-run.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import { wholeLog } from './download-log.ts';
import { LogBody } from './LogBody.tsx';
import styles from './LogsTab.module.css';
import { allContainers, useLogTarget } from './log-target.ts';
import { logMessages } from './messages.en.ts';
import { TerminalPane } from './terminal/TerminalPane.tsx';

/** Returns the default container: the first app container that ran, or else the last container of any type that ran. */
function defaultContainer({ containers }: PodTrack): ContainerTrack | undefined {
  const ran = containers.filter(({ attempts }) => attempts.length > 0);
  return (
    ran.find(({ type }) => type === 'container') ??
    ran.at(-1) ??
    containers.find(({ type }) => type === 'container') ??
    containers[0]
  );
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
  const { connection } = useSession();
  const track = pod && (pod.containers.find(({ name }) => name === container) ?? defaultContainer(pod));
  const isAll = container === allContainers && mode === 'log';
  if (!pod || !track) return <EmptyState icon="file" title={t(logMessages.noContainer)} />;
  // A container that never ran has no log.
  const ran = pod.containers.filter(({ attempts }) => attempts.length > 0);
  const tracks = isAll ? (ran.length > 0 ? ran : [track]) : [track];
  const download = async (): Promise<void> => {
    const { namespace, name } = pod;
    const requests = tracks.map((each) => ({ namespace, name, container: each.name, previous }));
    try {
      const text = await wholeLog(connection, requests, timestamps);
      const { download: save } = await import('../../node/files/save-run.ts');
      save(new Blob([text], { type: 'text/plain' }), `${name}${isAll ? '' : `-${track.name}`}.log`);
    } catch (error) {
      notify('error', errorMessage(error));
    }
  };
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Choice
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
          value={isAll ? allContainers : track.name}
          onChange={(chosen) => useLogTarget.setState({ container: chosen, previous: false })}
          options={[
            ...(mode === 'log' && pod.containers.length > 1
              ? [{ id: allContainers, label: t(logMessages.allContainers) }]
              : []),
            ...pod.containers.map(({ name, type }) => ({
              id: name,
              label: name,
              note: type === 'container' ? undefined : t(containerTypeMessages[type]),
            })),
          ]}
        />
        {mode === 'log' && (
          <>
            <Select
              label={t(logMessages.instance)}
              value={previous ? 'previous' : 'current'}
              onChange={(instance) =>
                useLogTarget.setState({
                  container: isAll ? allContainers : track.name,
                  previous: instance === 'previous',
                })
              }
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
            <IconButton
              icon="download"
              label={t(logMessages.download)}
              isDisabled={!connected}
              onPress={() => void download()}
            />
          </>
        )}
      </div>
      {mode === 'terminal' ? (
        <TerminalPane pod={pod} track={track} />
      ) : (
        <LogBody
          // After a disconnect, read the log again, because lines are missing.
          key={`${pod.uid} ${isAll ? allContainers : track.name} ${previous} ${connected}`}
          pod={pod}
          tracks={tracks}
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
