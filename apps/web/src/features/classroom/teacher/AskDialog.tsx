/** Renders the dialog in which the teacher asks the class a question. A run decides whether a prediction is right. */
import { useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Choice } from '../../../base/ui/fields/Choice.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { useView } from '../../../node/address/view-store.ts';
import { useNodeInfo } from '../../../node/run/use-run.ts';
import { askedScene } from '../client/own-run.ts';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { askEveryone, type NewQuestion, useTeach } from './teach.ts';

const kinds = ['nextStep', 'restartIn', 'choice'] as const;
type Kind = (typeof kinds)[number];
const most = 12;

export function AskDialog() {
  const t = useT();
  const steps = useNodeInfo()?.steps ?? [];
  const pod = useView((view) => view.pod);
  const [kind, setKind] = useState<Kind>('nextStep');
  const [text, setText] = useState('');
  const [options, setOptions] = useState('');
  const [right, setRight] = useState('');
  const close = (): void => useTeach.setState({ dialog: undefined });
  const scene = askedScene(pod);
  const own = options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, most);
  const usual = { nextStep: t(texts.askNextStep), restartIn: t(texts.askRestartIn), choice: '' }[kind];
  const isReady = kind === 'choice' ? own.length >= 2 && text.trim() !== '' : true;
  const ask = (): void => {
    const common = {
      text: text.trim() || usual,
      ...(kind !== 'choice' && scene ? { scene } : {}),
      ...(kind !== 'choice' && pod !== undefined ? { pod } : {}),
    };
    const number = Number(right);
    const question: NewQuestion =
      kind === 'nextStep'
        ? { ...common, kind, options: steps.slice(0, most).map(({ id, title }) => ({ point: id, title })) }
        : kind === 'restartIn'
          ? { ...common, kind }
          : { ...common, kind, options: own, ...(number >= 1 && number <= own.length ? { right: number - 1 } : {}) };
    askEveryone(question);
  };
  return (
    <PageDialog title={t(texts.ask)} icon="help" onClose={close}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Choice
          label={t(texts.kind)}
          options={kinds.map((id) => ({ id, label: t(texts.questionKind, { kind: id }) }))}
          value={kind}
          onChange={setKind}
        />
        <label>
          {t(texts.question)}
          <input
            className={styles.field}
            value={text}
            maxLength={500}
            placeholder={usual}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        {kind === 'choice' && (
          <>
            <label>
              {t(texts.optionsPerLine)}
              <textarea className={styles.area} value={options} onChange={({ target }) => setOptions(target.value)} />
            </label>
            <label>
              {t(texts.rightOption)}
              <input
                className={styles.number}
                type="number"
                min={1}
                max={own.length || 1}
                value={right}
                onChange={({ target }) => setRight(target.value)}
              />
            </label>
          </>
        )}
        {kind !== 'choice' && (
          <p className={styles.note}>
            {scene ? t(texts.askedInScene, { scenario: scene.scenario, seconds: scene.at }) : t(texts.askedInOwnRun)}
          </p>
        )}
        <Button kind="primary" type="submit" isDisabled={!isReady}>
          {t(texts.askAll)}
        </Button>
      </form>
    </PageDialog>
  );
}
