/** What a person can do to a container past the kubelet's decisions. What is done is an event of its own, and marked wherever it shows. */
import type { PodTrack } from '@podscope/trace';
import { attempt } from '../debug/debug-actions.ts';
import { useDebugState } from '../debug/use-debug.ts';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useRefusal } from '../run/refusal.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Inspector.module.css';
import { inspectorMessages } from './messages.en.ts';

interface OfContainer {
  readonly pod: Pick<PodTrack, 'namespace' | 'name'>;
  readonly container: string;
}

/** Ends a running container behind the kubelet's back. */
export function EndContainer({ pod: { namespace, name }, container }: OfContainer) {
  const t = useT();
  const { connection } = useSession();
  const refusal = useRefusal('present');
  if (!useDebugState()) return null;
  const kill = () => attempt(() => connection.command<'killContainer'>({ command: 'killContainer', namespace, name, container }));
  return (
    <span title={t(inspectorMessages.killNote)}>
      <Button icon="bolt" refusal={refusal} onPress={() => void kill()}>
        {t(inspectorMessages.kill)}
      </Button>
    </span>
  );
}

/** Ends the back-off that a container waits in. */
export function SkipWait({ pod: { namespace, name }, container }: OfContainer) {
  const t = useT();
  const { connection } = useSession();
  const refusal = useRefusal('present');
  if (!useDebugState()) return null;
  const skip = () => attempt(() => connection.command<'skipBackOff'>({ command: 'skipBackOff', namespace, name, container }));
  return (
    <div className={styles.actions} title={t(inspectorMessages.skipWaitNote)}>
      <Button icon="bolt" refusal={refusal} onPress={() => void skip()}>
        {t(inspectorMessages.skipWait)}
      </Button>
    </div>
  );
}
