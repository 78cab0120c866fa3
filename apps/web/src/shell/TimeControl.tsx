/** How a simulated run's time passes: pause, step to what happens next, speed. Absent where time is real, or over. */
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useRefusal } from '../run/refusal.ts';
import { useNodeInfo, useRunTime } from '../run/use-run.ts';
import { IconButton } from '../ui/Button.tsx';
import { NativeSelect } from '../ui/NativeSelect.tsx';
import { shellMessages } from './messages.en.ts';
import styles from './TimeControl.module.css';

const speeds = [0.1, 0.5, 1, 2, 5, 10, 60, 300, 1000];

const named = (speed: number): string => `×${speed.toLocaleString('en', { maximumFractionDigits: 1 })}`;

export function TimeControl() {
  const time = useRunTime();
  const { connection } = useSession();
  const node = useNodeInfo();
  const refusal = useRefusal();
  const t = useT();
  // The time of a recording is over, unlike that of a server that is only to be looked at.
  if (!time || (node?.readOnly && node.kubeconfig === undefined)) return null;
  // A command that fails because the connection just broke is told by the banner.
  const tell = (command: Parameters<typeof connection.command>[0]): void => void connection.command(command).catch(() => undefined);
  const choices = speeds.includes(time.speed) ? speeds : [...speeds, time.speed].toSorted((left, right) => left - right);
  return (
    <div className={styles.time} role="group" aria-label={t(shellMessages.simulatedTime)} title={refusal}>
      <IconButton
        icon={time.paused ? 'play' : 'pause'}
        label={t(time.paused ? shellMessages.letTimePass : shellMessages.pauseTime)}
        refusal={refusal}
        onPress={() => tell({ command: 'setTime', paused: !time.paused })}
      />
      <IconButton icon="nextEvent" label={t(shellMessages.nextEvent)} refusal={refusal} onPress={() => tell({ command: 'stepTime', toNextEvent: true })} />
      <NativeSelect
        label={t(shellMessages.speed)}
        value={String(time.speed)}
        options={choices.map((speed) => ({ id: String(speed), label: named(speed) }))}
        isDisabled={refusal !== undefined}
        onChange={(id) => tell({ command: 'setTime', speed: Number(id) })}
      />
    </div>
  );
}
