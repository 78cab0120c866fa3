/** Changes what happens at a stop: the call fails, waits, hangs, or skips its back-off. Default export: loaded when first opened. */
import { grpcErrorCodes, type InterventionAction, type StoppedThread } from '@podscope/protocol';
import { type FormEvent, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useSession } from '../run/node-session.ts';
import { closeDebugDialog, useInterface } from '../state/interface.ts';
import { useSelectedUid } from '../state/use-selected-pod.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './Dialog.module.css';
import { intervene } from './debug-actions.ts';
import { useStop } from './use-debug.ts';

type Kind = 'fail' | 'delay' | 'hang' | 'answer' | 'skipWait';

/** What makes sense where it stands. */
function kindsAt({ point }: StoppedThread): readonly Kind[] {
  if (point === 'kuberuntime.doBackOff') return ['skipWait', 'fail', 'delay'];
  if (point === 'kubelet.probe' || point.startsWith('lifecycle.')) return ['answer', 'fail', 'delay', 'hang'];
  return ['fail', 'delay', 'hang'];
}

const names: Readonly<Record<Kind, string>> = {
  fail: 'Fail with an error',
  delay: 'Delay it',
  hang: 'Let it hang until released',
  answer: 'Answer in its place',
  skipWait: 'Start now, whatever the back-off',
};

function Form({ stop }: { readonly stop: StoppedThread }) {
  const session = useSession();
  const kinds = kindsAt(stop);
  const isDocker = stop.point.startsWith('docker.');
  const isCni = stop.point.startsWith('cni.');
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'fail');
  const [code, setCode] = useState(isDocker ? '500' : isCni ? '11' : 'Internal');
  const [message, setMessage] = useState('injected failure');
  const [delay, setDelay] = useState('5s');
  const [result, setResult] = useState<'success' | 'failure'>('failure');
  const action = (): InterventionAction => {
    switch (kind) {
      case 'fail':
        if (isDocker) return { fail: { docker: Number(code), message } };
        if (isCni) return { fail: { cni: Number(code), message } };
        return { fail: { grpc: code as (typeof grpcErrorCodes)[number], message } };
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
    if (await intervene(session, stop.thread, action())) closeDebugDialog();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <p className={styles.empty}>
        Stopped {stop.phase} <strong>{stop.title}</strong>. The flow goes on with what you choose, and every view marks it as yours.
      </p>
      <label className={styles.field}>
        <span>Do</span>
        <select value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {names[each]}
            </option>
          ))}
        </select>
      </label>
      {kind === 'fail' && (
        <label className={styles.field}>
          <span>{isDocker ? 'HTTP status' : isCni ? 'CNI code' : 'gRPC code'}</span>
          {isDocker || isCni ? (
            <input value={code} onChange={({ target }) => setCode(target.value)} inputMode="numeric" pattern="\d+" required />
          ) : (
            <select value={code} onChange={({ target }) => setCode(target.value)}>
              {grpcErrorCodes.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </label>
      )}
      {kind === 'answer' && (
        <label className={styles.field}>
          <span>Result</span>
          <select value={result} onChange={({ target }) => setResult(target.value as 'success' | 'failure')}>
            <option value="success">success</option>
            <option value="failure">failure</option>
          </select>
        </label>
      )}
      {(kind === 'fail' || kind === 'answer') && (
        <label className={styles.field}>
          <span>Message</span>
          <input value={message} onChange={({ target }) => setMessage(target.value)} />
        </label>
      )}
      {kind === 'delay' && (
        <label className={styles.field}>
          <span>For</span>
          <input value={delay} onChange={({ target }) => setDelay(target.value)} pattern="\d+(\.\d+)?(ms|s|m|h)" required placeholder="250ms, 5s, 2m" />
        </label>
      )}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" icon="bolt">
          Do it and go on
        </Button>
      </div>
    </form>
  );
}

export default function InterveneDialog() {
  const isOpen = useInterface(({ debugDialog }) => debugDialog === 'intervene');
  const stop = useStop(useSelectedUid());
  return (
    <ModalOverlay className={styles.veil} isOpen={isOpen && stop !== undefined} onOpenChange={(open) => !open && closeDebugDialog()} isDismissable>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          <header className={styles.head}>
            <Icon name="bolt" />
            <Heading slot="title" className={styles.title}>
              Intervene
            </Heading>
            <IconButton icon="close" label="Close" onPress={closeDebugDialog} />
          </header>
          <div className={styles.body}>{stop && <Form key={stop.stop} stop={stop} />}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
