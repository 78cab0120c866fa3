/** Shows a message in the middle of the page while no pod is selected. */
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { engineOptions, isPageSource } from '../../node/address/address.ts';
import { useView } from '../../node/address/view-store.ts';
import { connectionMessages } from '../../node/connection/messages.en.ts';
import { useConnectionState, useNodeInfo, usePodUids } from '../../node/run/use-run.ts';
import { useIsPast } from '../../node/travel/use-travel.ts';
import { openDialog } from '../../node/view/interface.ts';
import { welcomeMessages as texts } from '../messages.en.ts';
import styles from './Welcome.module.css';

const Start = lazyPart(() => import('../start/Start.tsx'));

/** True if the address names a scenario or a snapshot, from which the engine creates pods. */
const awaitsPods = engineOptions?.scenario !== undefined || engineOptions?.snapshot !== undefined;

/** Shows the connection state before the node has sent its first message. */
function Silent() {
  const state = useConnectionState();
  const t = useT();
  if (state.phase === 'connecting')
    return <EmptyState heading="h1" busy title={t(isPageSource ? texts.engineStarting : texts.connecting)} />;
  if (isPageSource) {
    return (
      <EmptyState heading="h1" icon="warning" alert title={t(texts.engineFailed)}>
        <div className={styles.welcome}>
          {state.phase === 'away' && state.reason !== '' && <p>{state.reason}</p>}
          <p>{t(texts.tryScenario)}</p>
          <Button kind="primary" icon="play" onPress={() => openDialog('scenarios')}>
            {t(texts.playScenario)}
          </Button>
        </div>
      </EmptyState>
    );
  }
  return (
    <EmptyState heading="h1" icon="warning" title={t(texts.silent)}>
      {t(texts.startWith)} <code>npx -y pnpm@12 start</code> {t(texts.openAddress)}
    </EmptyState>
  );
}

export function Welcome() {
  const { phase } = useConnectionState();
  const node = useNodeInfo();
  const uids = usePodUids();
  const wanted = useView(({ pod }) => pod);
  const isPast = useIsPast();
  const t = useT();
  if (!node) return <Silent />;
  if (phase === 'catchingUp') return <EmptyState heading="h1" busy title={t(texts.reading)} />;
  if (isPast && (uids.length === 0 || wanted !== undefined)) {
    return (
      <EmptyState
        heading="h1"
        title={wanted === undefined ? t(texts.noPodThen) : t(texts.podNotThen, { name: wanted })}
      >
        {t(texts.chooseOtherTime)}
      </EmptyState>
    );
  }
  if (uids.length === 0 && awaitsPods) return <EmptyState heading="h1" busy title={t(texts.reading)} />;
  if (wanted !== undefined) {
    return (
      <EmptyState heading="h1" icon="search" title={t(texts.noSuchPod, { name: wanted })}>
        {t(texts.otherRun)}
      </EmptyState>
    );
  }
  if (uids.length > 0)
    return (
      <EmptyState heading="h1" title={t(texts.select)}>
        {t(texts.appearsHere)}
      </EmptyState>
    );
  if (node.readOnly && node.kubeconfig !== undefined)
    return (
      <EmptyState heading="h1" title={t(texts.noPods)}>
        {t(connectionMessages.readOnly)}
      </EmptyState>
    );
  if (node.readOnly) return <EmptyState heading="h1" icon="file" title={t(texts.noPodsRecorded)} />;
  return <Start />;
}
