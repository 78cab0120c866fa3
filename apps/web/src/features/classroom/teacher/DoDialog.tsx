/**
 * Renders the dialog in which the teacher sends a scenario, lesson step, manifest, breakpoint or fault plan to all
 * learners' nodes.
 */
import { scenarios } from '@podscope/scenarios';
import { useState } from 'react';
import { useLanguage, useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Choice } from '../../../base/ui/fields/Choice.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { useNodeInfo } from '../../../node/run/use-run.ts';
import { sceneOfOwnRun } from '../client/own-run.ts';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { doThis, type NewTask, useTeach } from './teach.ts';
import { useLessonTask } from './use-lesson-task.tsx';

const kinds = ['lesson', 'scenario', 'manifest', 'breakpoint', 'fault'] as const;
type Kind = (typeof kinds)[number];

export function DoDialog() {
  const t = useT();
  const language = useLanguage();
  const words = language === 'zh-CN' ? 'zh' : 'en';
  const own = sceneOfOwnRun();
  const steps = useNodeInfo()?.steps ?? [];
  const [kind, setKind] = useState<Kind>('lesson');
  const [scenario, setScenario] = useState(own?.scenario ?? scenarios[0]?.id ?? '');
  const [point, setPoint] = useState<string>();
  const [document, setDocument] = useState('');
  const lesson = useLessonTask();
  const task = ((): NewTask | undefined => {
    switch (kind) {
      case 'lesson':
        return lesson.task;
      case 'scenario': {
        const profile = scenarios.find(({ id }) => id === scenario)?.profiles[0] ?? 'v1.36';
        const scene = own?.scenario === scenario ? own : { scenario, profile, at: 0 };
        return { kind, scene, paused: false };
      }
      case 'manifest':
        return document.trim() === '' ? undefined : { kind, manifest: document };
      case 'breakpoint':
        return point === undefined ? undefined : { kind, breakpoint: { point } };
      case 'fault':
        return document.trim() === '' ? undefined : { kind, plan: document };
      default:
        return kind satisfies never;
    }
  })();
  return (
    <PageDialog title={t(texts.doThis)} icon="play" onClose={() => useTeach.setState({ dialog: undefined })}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (task) doThis(task);
        }}
      >
        <Choice
          label={t(texts.kind)}
          options={kinds.map((id) => ({ id, label: t(texts.taskKind, { kind: id }) }))}
          value={kind}
          onChange={setKind}
        />
        {kind === 'lesson' && lesson.field}
        {kind === 'scenario' && (
          <Select
            label={t(texts.taskKind, { kind })}
            value={scenario}
            options={scenarios.map(({ id, title }) => ({ id, label: title[words] }))}
            onChange={setScenario}
          />
        )}
        {kind === 'breakpoint' && (
          <Select
            label={t(texts.stopAt)}
            value={point}
            options={steps.map(({ id, title }) => ({ id, label: title, note: id }))}
            onChange={setPoint}
          />
        )}
        {(kind === 'manifest' || kind === 'fault') && (
          <label>
            {t(texts.taskKind, { kind })} (YAML)
            <textarea
              className={styles.area}
              spellCheck={false}
              value={document}
              onChange={({ target }) => setDocument(target.value)}
            />
          </label>
        )}
        <Button kind="primary" type="submit" isDisabled={task === undefined}>
          {t(texts.sendAll)}
        </Button>
      </form>
    </PageDialog>
  );
}
