/**
 * Renders the dialog that overrides the stopped step: fail, delay, hang or skip the back-off. Default export: loaded
 * when first opened.
 */
import { goDurationPattern } from '@podscope/base';
import type { InterventionAction, StoppedThread } from '@podscope/protocol';
import { grpcErrorCodes, isGrpcErrorCode } from '@podscope/trace';
import { type FormEvent, useState } from 'react';
import type { Message } from '../../../base/i18n/define-messages.ts';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { intervene } from '../../../node/debugger/debug-actions.ts';
import { useStop } from '../../../node/debugger/use-debug.ts';
import { pointTitle } from '../../../node/points/step-text.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { useSelectedUid } from '../../../node/run/use-selected-pod.ts';
import { closeDialog } from '../../../node/view/interface.ts';
import styles from '../Dialog.module.css';
import { interveneMessages as texts } from './messages.en.ts';

type Kind = 'fail' | 'delay' | 'hang' | 'answer' | 'skipWait';
const results = ['success', 'failure', 'warning'] as const;
type Result = (typeof results)[number];

/** Returns the kinds of overrides that apply at the stop. */
function kindsAt({ point }: StoppedThread): readonly [Kind, ...Kind[]] {
  if (point === 'kuberuntime.doBackOff') return ['skipWait', 'fail', 'delay'];
  if (point === 'kubelet.probe' || point.startsWith('lifecycle.')) return ['answer', 'fail', 'delay', 'hang'];
  return ['fail', 'delay', 'hang'];
}

const names: Readonly<Record<Kind, Message>> = {
  fail: texts.fail,
  delay: texts.delay,
  hang: texts.hang,
  answer: texts.answer,
  skipWait: texts.skipWait,
};

function Form({ stop }: { readonly stop: StoppedThread }) {
  const session = useSession();
  const t = useT();
  const kinds = kindsAt(stop);
  const isDocker = stop.point.startsWith('docker.');
  const isCni = stop.point.startsWith('cni.');
  const [kind, setKind] = useState<Kind>(kinds[0]);
  const [code, setCode] = useState(isDocker ? '500' : isCni ? '11' : 'Internal');
  const [message, setMessage] = useState('injected failure');
  const [delay, setDelay] = useState('5s');
  const [result, setResult] = useState<Result>('failure');
  const grpcCode = isGrpcErrorCode(code) ? code : 'Internal';
  const action = (): InterventionAction => {
    switch (kind) {
      case 'fail':
        if (isDocker) return { fail: { docker: Number(code), message } };
        if (isCni) return { fail: { cni: Number(code), message } };
        return { fail: { grpc: grpcCode, message } };
      case 'delay':
        return { delay };
      case 'hang':
        return { hang: true };
      case 'answer':
        return { answer: { result, output: message } };
      case 'skipWait':
        return { skipWait: true };
      default:
        return kind satisfies never;
    }
  };
  const submit = async (): Promise<void> => {
    if (await intervene(session, stop.thread, action())) closeDialog();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <p className={styles.empty}>
        {t(texts.intro, { phase: stop.phase, title: pointTitle(t, stop.point, stop.title) })}
      </p>
      <label className={styles.field}>
        <span>{t(texts.do)}</span>
        <Select value={kind} options={kinds.map((id) => ({ id, label: t(names[id]) }))} onChange={setKind} />
      </label>
      {kind === 'fail' && (
        <label className={styles.field}>
          <span>{t(isDocker ? texts.httpStatus : isCni ? texts.cniCode : texts.grpcCode)}</span>
          {isDocker || isCni ? (
            <input
              value={code}
              onChange={({ target }) => setCode(target.value)}
              inputMode="numeric"
              pattern="\d+"
              required
            />
          ) : (
            <Select value={grpcCode} options={grpcErrorCodes.map((id) => ({ id, label: id }))} onChange={setCode} />
          )}
        </label>
      )}
      {kind === 'answer' && (
        <label className={styles.field}>
          <span>{t(texts.result)}</span>
          <Select value={result} options={results.map((id) => ({ id, label: t(texts[id]) }))} onChange={setResult} />
        </label>
      )}
      {(kind === 'fail' || kind === 'answer') && (
        <label className={styles.field}>
          <span>{t(texts.message)}</span>
          <input value={message} onChange={({ target }) => setMessage(target.value)} />
        </label>
      )}
      {kind === 'delay' && (
        <label className={styles.field}>
          <span>{t(texts.for)}</span>
          <input
            value={delay}
            onChange={({ target }) => setDelay(target.value)}
            pattern={goDurationPattern}
            required
            placeholder="250ms, 5s, 2m"
          />
        </label>
      )}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" icon="bolt">
          {t(texts.submit)}
        </Button>
      </div>
    </form>
  );
}

export default function InterveneDialog() {
  const stop = useStop(useSelectedUid());
  const t = useT();
  return (
    <PageDialog title={t(texts.title)} icon="bolt" onClose={closeDialog}>
      <div className={styles.body}>
        {stop ? <Form key={stop.stop} stop={stop} /> : <p className={styles.empty}>{t(texts.gone)}</p>}
      </div>
    </PageDialog>
  );
}
