/** Controls simulated time: pause, next event, speed. Hidden for a node in real time and for recordings. */
import { useT } from '../../base/i18n/i18n.ts';
import { IconButton } from '../../base/ui/fields/Button.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { useNodeInfo, useRunTime } from '../../node/run/use-run.ts';
import { shellMessages } from '../messages.en.ts';
import styles from './TimeControl.module.css';

const speeds = [0.1, 0.5, 1, 2, 5, 10, 60, 300, 1000];

const named = (speed: number): string => `×${speed.toLocaleString('en', { maximumFractionDigits: 1 })}`;

export function TimeControl() {
  const time = useRunTime();
  const { connection } = useSession();
  const node = useNodeInfo();
  const refusal = useRefusal();
  const t = useT();
  // A read-only node without a kubeconfig is a recording. A read-only server has one, and its time still runs.
  if (!time || (node?.readOnly && node.kubeconfig === undefined)) return null;
  // Ignore the failure of a lost connection, because the connection banner reports it.
  const send = (command: Parameters<typeof connection.command>[0]): void =>
    void connection.command(command).catch(() => undefined);
  const choices = speeds.includes(time.speed)
    ? speeds
    : [...speeds, time.speed].toSorted((left, right) => left - right);
  return (
    <div className={styles.time} role="group" aria-label={t(shellMessages.simulatedTime)} title={refusal}>
      <IconButton
        icon={time.paused ? 'play' : 'pause'}
        label={t(time.paused ? shellMessages.letTimePass : shellMessages.pauseTime)}
        refusal={refusal}
        onPress={() => send({ command: 'setTime', paused: !time.paused })}
      />
      <IconButton
        icon="nextEvent"
        label={t(shellMessages.nextEvent)}
        refusal={refusal}
        onPress={() => send({ command: 'stepTime', toNextEvent: true })}
      />
      <Select
        label={t(shellMessages.speed)}
        value={String(time.speed)}
        options={choices.map((speed) => ({ id: String(speed), label: named(speed) }))}
        isDisabled={refusal !== undefined}
        onChange={(id) => send({ command: 'setTime', speed: Number(id) })}
      />
    </div>
  );
}
