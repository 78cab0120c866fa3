/** Names a task: its kind, and what it opens or sets. */
import { type Task, taskLessonId } from '@podscope/classroom';
import { useT } from '../../../base/i18n/i18n.ts';
import { useNodeInfo } from '../../../node/run/use-run.ts';
import { useLessonTitles, useScenarioTitle } from './class-lessons.ts';
import { classMessages as texts } from './messages.en.ts';

/** Returns a function that returns what a task opens or sets; undefined for a manifest or a fault plan. */
function useTarget(): (task: Task) => string | undefined {
  const steps = useNodeInfo()?.steps ?? [];
  const lessonTitles = useLessonTitles();
  const scenarioTitle = useScenarioTitle();
  return (task) => {
    switch (task.kind) {
      case 'scenario':
        return scenarioTitle(task.scene.scenario);
      case 'lesson':
        return lessonTitles(task.source ? taskLessonId(task.id) : task.lesson, task.step).join(' · ');
      case 'breakpoint':
        return steps.find(({ id }) => id === task.breakpoint.point)?.title ?? task.breakpoint.point;
      default:
        return undefined;
    }
  };
}

export function TaskName({ task }: { readonly task: Task }) {
  const t = useT();
  const target = useTarget()(task);
  return (
    <>
      {t(texts.yourTask, { kind: task.kind })}
      {target !== undefined && <strong> {target}</strong>}
    </>
  );
}
