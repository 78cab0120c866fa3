/** Makes or changes one breakpoint. */
import type { BreakpointSpec } from '@podscope/protocol';
import { type FormEvent, useId, useState } from 'react';
import { useSession } from '../run/node-session.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { Button } from '../ui/Button.tsx';
import styles from './Dialog.module.css';
import { saveBreakpoint } from './debug-actions.ts';
import { usePoints } from './use-debug.ts';

interface FormState {
  readonly place: string;
  readonly when: NonNullable<BreakpointSpec['when']>;
  readonly pod: string;
  readonly container: string;
  readonly condition: string;
  readonly hitCondition: string;
  readonly logMessage: string;
}

const placeOf = (spec: BreakpointSpec | undefined): string => {
  if (!spec) return '';
  if (spec.kind !== undefined) return `kind:${spec.kind}`;
  if (spec.decision !== undefined) return `decision:${spec.decision}`;
  if (spec.source) return `${spec.source.path}:${spec.source.line}`;
  return spec.point ?? '';
};

/** `kind:cri`, `decision:computePodActions.*`, `packages/…/file.ts:12`, or a point. */
function readPlace(text: string): Pick<BreakpointSpec, 'point' | 'kind' | 'decision' | 'source'> {
  const [, prefix, rest] = /^(kind|decision):(.+)$/.exec(text) ?? [];
  if (prefix === 'kind') return { kind: rest };
  if (prefix === 'decision') return { decision: rest };
  const [, path, line] = /^(.+\.ts):(\d+)$/.exec(text) ?? [];
  if (path !== undefined) return { source: { path, line: Number(line) } };
  return { point: text };
}

const given = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

export function BreakpointForm({
  id,
  spec,
  onDone,
}: {
  readonly id: number | undefined;
  readonly spec: BreakpointSpec | undefined;
  readonly onDone: () => void;
}) {
  const session = useSession();
  const points = usePoints();
  const { pod } = useSelectedPod();
  const list = useId();
  const [form, setForm] = useState<FormState>({
    place: placeOf(spec),
    when: spec?.when ?? 'before',
    pod: spec?.pod ?? '',
    container: spec?.container ?? '',
    condition: spec?.condition ?? '',
    hitCondition: spec?.hitCondition ?? '',
    logMessage: spec?.logMessage ?? '',
  });
  const set = (patch: Partial<FormState>): void => setForm({ ...form, ...patch });
  const save = async (): Promise<void> => {
    const { namespace, containerType, threads, oneShot, enabled } = spec ?? {};
    const made: BreakpointSpec = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(containerType === undefined ? {} : { containerType }),
      ...(threads === undefined ? {} : { threads }),
      ...(oneShot === undefined ? {} : { oneShot }),
      ...(enabled === undefined ? {} : { enabled }),
      ...readPlace(form.place.trim()),
      when: form.when,
      pod: given(form.pod),
      container: given(form.container),
      condition: given(form.condition),
      hitCondition: given(form.hitCondition),
      logMessage: given(form.logMessage),
    };
    if (await saveBreakpoint(session, made, id)) onDone();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void save();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <label className={styles.field}>
        <span>Place</span>
        <input
          value={form.place}
          onChange={({ target }) => set({ place: target.value })}
          list={list}
          required
          placeholder="cri.CreateContainer, syncPod.*, kind:docker, decision:computePodActions.*"
          spellCheck={false}
        />
        <datalist id={list}>
          {points?.points.map((point) => (
            <option key={point.id} value={point.id}>
              {point.title}
            </option>
          ))}
        </datalist>
      </label>
      <label className={styles.field}>
        <span>Stop</span>
        <select value={form.when} onChange={({ target }) => set({ when: target.value as FormState['when'] })}>
          <option value="before">before it is done</option>
          <option value="after">after it, with its result</option>
          <option value="error">after it, only when it failed</option>
        </select>
      </label>
      <label className={styles.field}>
        <span>Pod</span>
        <input
          value={form.pod}
          onChange={({ target }) => set({ pod: target.value })}
          placeholder={pod ? `any, or ${pod.name}` : 'any; * and ? are wildcards'}
          spellCheck={false}
        />
      </label>
      <label className={styles.field}>
        <span>Container</span>
        <input value={form.container} onChange={({ target }) => set({ container: target.value })} placeholder="any" spellCheck={false} />
      </label>
      <label className={styles.field}>
        <span>Condition</span>
        <input
          value={form.condition}
          onChange={({ target }) => set({ condition: target.value })}
          placeholder='CEL: attempt > 1 && error.contains("not found")'
          spellCheck={false}
        />
      </label>
      <label className={styles.field}>
        <span>Hits</span>
        <input
          value={form.hitCondition}
          onChange={({ target }) => set({ hitCondition: target.value })}
          placeholder="every one; 3, >= 3, % 5"
          spellCheck={false}
        />
      </label>
      <label className={styles.field}>
        <span>Log instead</span>
        <input
          value={form.logMessage}
          onChange={({ target }) => set({ logMessage: target.value })}
          placeholder="Writes this and goes on: attempt {attempt}"
          spellCheck={false}
        />
      </label>
      <div className={styles.actions}>
        <Button kind="primary" type="submit">
          {id === undefined ? 'Add' : 'Save'}
        </Button>
        <Button kind="quiet" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
