/**
 * Renders actions that change a container without a decision of the kubelet. Each action is recorded as an event and
 * marked.
 */
import type { PodTrack } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { MiddleText } from '../../base/ui/text/MiddleText.tsx';
import { attempt } from '../../node/debugger/debug-actions.ts';
import { useDebugState } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import styles from './Inspector.module.css';
import { inspectorMessages } from './messages.en.ts';

interface OfContainer {
  readonly pod: Pick<PodTrack, 'namespace' | 'name'>;
  readonly container: string;
}

/**
 * Returns why actions on a container are refused, for example for a genuine kubelet; undefined if they are possible.
 */
function useActionRefusal(): string | undefined {
  const t = useT();
  const refusal = useRefusal('present');
  const isGenuine = useNodeInfo()?.observed !== undefined;
  return refusal ?? (isGenuine ? t(inspectorMessages.genuine) : undefined);
}

/** Kills a running container without the kubelet's knowledge. */
export function EndContainer({ pod: { namespace, name }, container }: OfContainer) {
  const t = useT();
  const { connection } = useSession();
  const refusal = useActionRefusal();
  if (!useDebugState()) return null;
  const kill = () =>
    attempt(() => connection.command<'killContainer'>({ command: 'killContainer', namespace, name, container }));
  return (
    <span title={t(inspectorMessages.killNote)}>
      <Button icon="bolt" refusal={refusal} onPress={() => void kill()}>
        {t(inspectorMessages.kill)}
      </Button>
    </span>
  );
}

interface SkipWaitProps extends OfContainer {
  /** True to show the container's name on the button, for pods with several containers. */
  readonly isNamed?: boolean;
}

/** Skips the back-off of a container. */
export function SkipWait({ pod: { namespace, name }, container, isNamed = false }: SkipWaitProps) {
  const t = useT();
  const { connection } = useSession();
  const refusal = useActionRefusal();
  if (!useDebugState()) return null;
  const skip = () =>
    attempt(() => connection.command<'skipBackOff'>({ command: 'skipBackOff', namespace, name, container }));
  return (
    <div className={styles.actions} title={t(inspectorMessages.skipWaitNote)}>
      <Button icon="bolt" refusal={refusal} onPress={() => void skip()}>
        {isNamed ? (
          <MiddleText>{t(inspectorMessages.skipWaitOf, { container })}</MiddleText>
        ) : (
          t(inspectorMessages.skipWait)
        )}
      </Button>
    </div>
  );
}
