/** Names a task: its kind, and what it opens or sets. */
import type { Task } from '@podscope/classroom';
import { useT } from '../../../base/i18n/i18n.ts';
import { useNodeInfo } from '../../../node/run/use-run.ts';
import { classMessages as texts } from './messages.en.ts';

/** Returns the id that the task names; undefined for a manifest or a fault plan. */
function targetOf(task: Task): string | undefined {
  switch (task.kind) {
    case 'scenario':
      return task.scene.scenario;
    case 'lesson':
      return task.step === undefined ? task.lesson : `${task.lesson} / ${task.step}`;
    case 'breakpoint':
      return task.breakpoint.point;
    default:
      return undefined;
  }
}

export function TaskName({ task }: { readonly task: Task }) {
  const t = useT();
  const steps = useNodeInfo()?.steps ?? [];
  const target = targetOf(task);
  return (
    <>
      {t(texts.yourTask, { kind: task.kind })}
      {target !== undefined && (
        <>
          {' '}
          <code>{steps.find(({ id }) => id === target)?.title ?? target}</code>
        </>
      )}
    </>
  );
}
