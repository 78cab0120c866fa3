/** Renders the form for one breakpoint. */
import type { BreakpointSpec, PointsResult } from '@podscope/protocol';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { saveBreakpoint } from '../../../node/debugger/debug-actions.ts';
import { usePoints } from '../../../node/debugger/use-debug.ts';
import { pointTitle } from '../../../node/points/step-text.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { useSelectedPod } from '../../../node/run/use-selected-pod.ts';
import styles from '../Dialog.module.css';
import { type BreakpointDraft, draftOf, specOf } from './breakpoint-draft.ts';
import { ExpressionField } from './ExpressionField.tsx';
import { breakpointMessages as texts } from './messages.en.ts';
import { checkNow, useBreakpointCheck } from './use-breakpoint-check.ts';

interface FieldProps {
  readonly label: string;
  readonly children: ReactNode;
}

function Field({ label, children }: FieldProps) {
  return (
    // The form control of the label is one of the children.
    <label className={styles.field}>
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Lists all points as suggestions for the field. */
function Places({ id, points }: { readonly id: string; readonly points: PointsResult | undefined }) {
  const t = useT();
  const kinds = [...new Set(points?.points.map(({ kind }) => kind))];
  return (
    <datalist id={id}>
      {points?.points.map((point) => (
        <option key={point.id} value={point.id}>
          {pointTitle(t, point.id, point.title)}
        </option>
      ))}
      {kinds.map((kind) => (
        <option key={kind} value={`kind:${kind}`}>
          {kind}
        </option>
      ))}
      {points?.decisions.map(({ rule }) => (
        <option key={rule} value={`decision:${rule}`}>
          {rule}
        </option>
      ))}
    </datalist>
  );
}

const times = ['before', 'after', 'error'] as const;

const containerTypes = [
  ['', texts.typeAny],
  ['init', texts.typeInit],
  ['sidecar', texts.typeSidecar],
  ['container', texts.typeContainer],
  ['ephemeral', texts.typeEphemeral],
] as const;

const noVariables: readonly string[] = [];

interface BreakpointFormProps {
  readonly id: number | undefined;
  readonly spec: BreakpointSpec | undefined;
  readonly onDone: () => void;
}

export function BreakpointForm({ id, spec, onDone }: BreakpointFormProps) {
  const session = useSession();
  const points = usePoints();
  const { pod } = useSelectedPod();
  const t = useT();
  const list = useId();
  const place = useRef<HTMLInputElement>(null);
  useEffect(() => place.current?.focus(), []);
  const [draft, setDraft] = useState(() => draftOf(spec));
  const set = (patch: Partial<BreakpointDraft>): void => setDraft({ ...draft, ...patch });
  const made = draft.place.trim() === '' ? undefined : specOf(draft, spec);
  const { problem, note } = useBreakpointCheck(made);
  const save = async (): Promise<void> => {
    if (!made) return;
    // Check again before saving, because the check that follows the last key press may not have run yet.
    const problemNow = await checkNow(session.connection, made);
    if (problemNow === undefined && (await saveBreakpoint(session, made, id))) onDone();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void save();
  };
  const field = (
    name: 'place' | 'namespace' | 'pod' | 'container' | 'condition' | 'hitCondition' | 'logMessage',
    placeholder: string,
  ) => ({
    value: draft[name],
    placeholder,
    spellCheck: false,
    onChange: ({ target }: { readonly target: HTMLInputElement }) => set({ [name]: target.value }),
  });
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <Field label={t(texts.place)}>
        <input
          {...field('place', 'cri.CreateContainer, syncPod.*, kind:docker, decision:computePodActions.*')}
          ref={place}
          list={list}
          required
        />
      </Field>
      <Places id={list} points={points} />
      <Field label={t(texts.stop)}>
        <Select
          value={draft.when}
          options={times.map((id) => ({ id, label: t(texts[id]) }))}
          onChange={(when) => set({ when })}
        />
      </Field>
      <fieldset className={styles.part}>
        <legend>{t(texts.narrow)}</legend>
        <div className={styles.pair}>
          <Field label={t(texts.pod)}>
            <input {...field('pod', pod ? t(texts.podAnyOr, { name: pod.name }) : t(texts.podAny))} />
          </Field>
          <Field label={t(texts.namespace)}>
            <input {...field('namespace', t(texts.any))} />
          </Field>
          <Field label={t(texts.container)}>
            <input {...field('container', t(texts.any))} />
          </Field>
          <Field label={t(texts.containerType)}>
            <Select
              value={draft.containerType}
              options={containerTypes.map(([id, message]) => ({ id, label: t(message) }))}
              onChange={(containerType) => set({ containerType })}
            />
          </Field>
        </div>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t(texts.more)}</legend>
        <Field label={t(texts.condition)}>
          <ExpressionField
            label={t(texts.condition)}
            value={draft.condition}
            placeholder={'CEL: attempt > 1 && error.contains("not found")'}
            variables={points?.variables ?? noVariables}
            onChange={(condition) => set({ condition })}
          />
        </Field>
        <Field label={t(texts.hitCount)}>
          <input {...field('hitCondition', t(texts.hitsPlaceholder))} pattern="\s*((>=|>|==|=|<=|<|%)\s*)?\d+\s*" />
        </Field>
        <Field label={t(texts.logInstead)}>
          <input {...field('logMessage', t(texts.logPlaceholder, { example: '{attempt}' }))} />
        </Field>
        <label className={styles.tick}>
          <input type="checkbox" checked={draft.oneShot} onChange={({ target }) => set({ oneShot: target.checked })} />
          {t(texts.once)}
        </label>
      </fieldset>
      <p className={problem === undefined ? styles.verdict : styles.refused} role="status">
        {problem === undefined ? note && t(texts.found, { place: note }) : problem}
        {problem !== undefined && <Icon name="warning" size={13} />}
      </p>
      <div className={styles.actions}>
        <Button kind="primary" type="submit" isDisabled={problem !== undefined}>
          {t(id === undefined ? texts.addIt : texts.save)}
        </Button>
        <Button kind="quiet" onPress={onDone}>
          {t(texts.cancel)}
        </Button>
      </div>
    </form>
  );
}
