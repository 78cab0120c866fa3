/** Lists the pods of the node with their kubectl status. */
import type { PodTrack } from '@podscope/trace';
import { useEffect, useId, useMemo, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../base/preferences/preferences.ts';
import { Button, IconButton, IconToggle } from '../../base/ui/fields/Button.tsx';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { useRowHeight } from '../../base/ui/tables/use-row-height.ts';
import { useRowWindow } from '../../base/ui/tables/use-row-window.ts';
import { isPageSource } from '../../node/address/address.ts';
import { showPod } from '../../node/address/view-store.ts';
import { listPods, namespacesOf, podOrders } from '../../node/pods/list-pods.ts';
import { usePodList, usePodListOptions } from '../../node/pods/pod-list.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { useConnectionState, useNodeInfo, usePods } from '../../node/run/use-run.ts';
import { useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { openEditor } from '../../node/view/interface.ts';
import { podMessages as texts } from './messages.en.ts';
import { PodRow, podRowHeight, tallPodRowHeight } from './PodRow.tsx';
import styles from './PodsPanel.module.css';

/** Explains why the list is empty. */
function NoPods({ isFiltered }: { readonly isFiltered: boolean }) {
  const { phase } = useConnectionState();
  const t = useT();
  if (isFiltered) return <EmptyState title={t(texts.noneMatches)}>{t(texts.searched)}</EmptyState>;
  if (phase === 'away')
    return <EmptyState title={t(texts.none)}>{t(isPageSource ? texts.noEngine : texts.away)}</EmptyState>;
  if (phase !== 'live') return <EmptyState busy title={t(texts.reading)} />;
  return <EmptyState title={t(texts.none)}>{t(texts.noneYet)}</EmptyState>;
}

/** Element id of the filter, for the shortcut that focuses it. */
export const podFilterId = 'pod-filter';

/** Renders the controls for the order and the namespace of the list. */
function ListOptions({ namespaces }: { readonly namespaces: readonly string[] }) {
  const t = useT();
  const order = usePreferences(({ podOrder }) => podOrder);
  const namespace = usePodList((list) => list.namespace);
  return (
    <div className={styles.options}>
      <Select
        label={t(texts.order)}
        value={order}
        options={podOrders.map((id) => ({ id, label: t(texts[`by${id}`]) }))}
        onChange={(podOrder) => setPreference({ podOrder })}
      />
      <Select
        label={t(texts.namespace)}
        value={namespace ?? ''}
        options={[
          { id: '', label: t(texts.allNamespaces) },
          ...namespaces.filter(Boolean).map((id) => ({ id, label: id })),
        ]}
        onChange={(id) => usePodList.setState({ namespace: id || undefined })}
      />
    </div>
  );
}

/** Shows the number of deleted pods, a switch that includes them in the list, and a button that clears them from it. */
function Deleted({ pods }: { readonly pods: readonly PodTrack[] }) {
  const t = useT();
  const isHidden = usePreferences(({ hidesDeleted }) => hidesDeleted);
  const cleared = usePodList((list) => list.cleared);
  const deleted = pods.filter(({ deletedAt }) => deletedAt !== undefined);
  const left = deleted.filter(({ uid }) => !cleared.has(uid));
  const clear = (uids: readonly string[]): void => usePodList.setState({ cleared: new Set(uids) });
  if (deleted.length === 0) return null;
  if (left.length === 0)
    return (
      <footer className={styles.deleted}>
        <span>{t(texts.cleared, { count: deleted.length })}</span>
        <Button kind="quiet" onPress={() => clear([])}>
          {t(texts.showAgain)}
        </Button>
      </footer>
    );
  return (
    <footer className={styles.deleted}>
      <span>{t(texts.deleted, { count: left.length })}</span>
      <Button kind="quiet" onPress={() => setPreference({ hidesDeleted: !isHidden })}>
        {t(isHidden ? texts.showDeleted : texts.hideDeleted)}
      </Button>
      <IconButton icon="trash" label={t(texts.clearDeleted)} onPress={() => clear(deleted.map(({ uid }) => uid))} />
    </footer>
  );
}

export function PodsPanel() {
  const all = usePods();
  const refusal = useRefusal();
  const isObserved = useNodeInfo()?.observed !== undefined;
  const t = useT();
  const options = usePodListOptions();
  const { filter = '', namespace, order, hidesDeleted, cleared } = options;
  const namespaces = namespacesOf(all);
  // Don't show the namespace if all pods have the same one.
  const hasNamespaces = namespace === undefined && namespaces.some((each) => each !== '' && each !== 'default');
  const rowHeight = useRowHeight(hasNamespaces ? tallPodRowHeight : podRowHeight);
  const selected = useSelectedUid();
  const [areOptionsOpen, setOptionsOpen] = useState(namespace !== undefined || order !== 'name');
  const pods = useMemo(
    () => listPods(all, { filter, namespace, order, hidesDeleted, cleared }),
    [all, filter, namespace, order, hidesDeleted, cleared],
  );
  const id = useId();
  const { scroller, first, end, onScroll, reveal } = useRowWindow({
    count: pods.length,
    rowHeight,
    headHeight: 0,
    followEnd: false,
  });
  const index = pods.findIndex(({ uid }) => uid === selected);
  const goTo = (to: number): void => {
    const pod = pods[Math.min(pods.length - 1, Math.max(0, to))];
    if (pod) showPod(pod);
  };
  useEffect(() => {
    if (index >= 0) reveal(index);
  }, [index, reveal]);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: pods.length - 1,
  };
  return (
    <section className={styles.panel} aria-label={t(texts.title)}>
      <header className={styles.head}>
        <h2 className={styles.title}>
          {t(texts.title)}{' '}
          <span className={styles.count}>{all.filter(({ deletedAt }) => deletedAt === undefined).length}</span>
        </h2>
        {/* The pods of an observed kubelet come from its own sources, such as its API server, so this page can't
            create any. */}
        {!isObserved && (
          <Button kind="plain" icon="plus" refusal={refusal} onPress={() => openEditor()}>
            {t(texts.newPod)}
          </Button>
        )}
      </header>
      <div className={styles.filter}>
        <SearchField
          id={podFilterId}
          label={t(texts.filter)}
          value={filter}
          onChange={(text) => usePodList.setState({ filter: text })}
        />
        <IconToggle icon="sort" label={t(texts.options)} isSelected={areOptionsOpen} onChange={setOptionsOpen} />
      </div>
      {areOptionsOpen && <ListOptions namespaces={namespaces} />}
      {pods.length === 0 ? (
        <NoPods isFiltered={filter !== '' || namespace !== undefined || (hidesDeleted === true && all.length > 0)} />
      ) : (
        <div
          ref={scroller}
          className={styles.list}
          role="listbox"
          aria-label={t(texts.title)}
          tabIndex={0}
          onScroll={onScroll}
          aria-activedescendant={index >= 0 ? `${id}-${index}` : undefined}
          onKeyDown={(event) => {
            const to = targets[event.key];
            if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            goTo(to);
          }}
        >
          <div style={{ height: pods.length * rowHeight }} className={styles.canvas} role="presentation">
            {pods.slice(first, end).map(({ uid }, at) => (
              <PodRow
                key={uid}
                id={`${id}-${first + at}`}
                uid={uid}
                top={(first + at) * rowHeight}
                height={rowHeight}
                isSelected={uid === selected}
                hasNamespace={hasNamespaces}
              />
            ))}
          </div>
        </div>
      )}
      <Deleted pods={all} />
    </section>
  );
}
