/**
 * Renders the dialog that edits and applies a manifest, with errors shown while typing. Default export: loaded when
 * first opened.
 */
import type { ManifestError } from '@podscope/protocol';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Dialog, FileTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { useIsConnected } from '../../node/run/use-run.ts';
import { closeEditor, useInterface } from '../../node/view/interface.ts';
import { showApplied } from './apply-manifest.ts';
import type { CodeViewHandle } from './code-view/CodeView.tsx';
import { LazyCodeView } from './code-view/lazy-code-view.ts';
import { readManifest, useDraft } from './draft.ts';
import { editorMessages, templateMessages } from './messages.en.ts';
import styles from './NewPodDialog.module.css';
import { isPolicy, policyFaults } from './policy-faults.ts';
import { TemplateMenu } from './TemplateMenu.tsx';
import { useValidation } from './use-validation.ts';

const AddedFields = lazyPart(() => import('./AddedFields.tsx'));
const WorkloadHint = lazyPart(() => import('./WorkloadHint.tsx'));

const noErrors: readonly ManifestError[] = [];

export default function NewPodDialog() {
  const editor = useInterface((state) => state.editor);
  return (
    <ModalOverlay
      className={styles.veil}
      isOpen={editor !== undefined}
      onOpenChange={(isOpen) => !isOpen && closeEditor()}
      isDismissable
    >
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          {editor && <Editor manifest={editor.manifest} source={editor.source} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

async function openFile(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    useDraft.setState({ text: await readManifest(file), source: file.name });
  } catch (error) {
    notify('error', (error as Error).message);
  }
}

function Editor({ manifest, source }: { readonly manifest: string | undefined; readonly source: string | undefined }) {
  const { connection } = useSession();
  const t = useT();
  const connected = useIsConnected();
  const refusal = useRefusal();
  const draft = useDraft();
  const code = useRef<CodeViewHandle>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (manifest !== undefined) useDraft.setState({ text: manifest, source });
  }, [manifest, source]);

  const { result, last, problem, settled } = useValidation(draft.text);
  const apply = useMutation({
    mutationFn: (text: string) => connection.command<'apply'>({ command: 'apply', manifest: text }),
    onSuccess: ({ applied, errors }) => {
      if (errors.length > 0) return;
      notify(
        'success',
        applied.map(({ kind, name, operation }) => `${kind.toLowerCase()}/${name} ${operation}`).join(', ') ||
          t(editorMessages.nothingToApply),
      );
      showApplied(applied);
      closeEditor();
    },
  });
  const errors =
    apply.data && apply.variables === draft.text && apply.data.errors.length > 0
      ? apply.data.errors
      : (last?.errors ?? noErrors);
  const faults = useMemo(
    () =>
      errors.flatMap((error) => {
        if (isPolicy(error)) return policyFaults(draft.text, error);
        const { line, column, message, field } = error;
        return [{ line, column, message: field && !message.startsWith(field) ? `${field}: ${message}` : message }];
      }),
    [errors, draft.text],
  );
  const isBlocked =
    refusal !== undefined ||
    apply.isPending ||
    (result !== undefined && result.errors.length > 0) ||
    draft.text.trim() === '';
  const submit = (): void => {
    if (!isBlocked) apply.mutate(draft.text);
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    submit();
  });
  // Handle the key in the capture phase, because a focused button would otherwise handle Enter first. The listener is
  // on the window, because no element of the dialog is focused while a menu closes.
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => onKeyDown(event);
    addEventListener('keydown', handle, true);
    return () => removeEventListener('keydown', handle, true);
  }, []);

  return (
    <div
      className={cx(styles.editor, isOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void openFile(event.dataTransfer.files[0]);
      }}
    >
      <header className={styles.head}>
        <Heading slot="title" className={styles.title}>
          {t(editorMessages.newPod)}
        </Heading>
        {draft.source && <span className={styles.source}>{draft.source}</span>}
        <span className={styles.gap} />
        <TemplateMenu
          onPick={({ id, manifest: text }) => useDraft.setState({ text, source: t(templateMessages[`${id}Title`]) })}
        />
        <FileTrigger
          acceptedFileTypes={['.yaml', '.yml', '.json', 'text/yaml', 'application/json']}
          onSelect={(files) => void openFile(files?.[0])}
        >
          <Button icon="file">{t(editorMessages.openFile)}</Button>
        </FileTrigger>
        <IconButton icon="close" label={t(editorMessages.close)} shortcut="Esc" onPress={closeEditor} />
      </header>
      <div className={styles.code}>
        <LazyCodeView
          ref={code}
          label={t(editorMessages.manifest)}
          text={draft.text}
          faults={faults}
          focusFirst
          onChange={(text) => useDraft.setState({ text })}
          onSubmit={submit}
          fallback={<EmptyState busy title={t(editorMessages.loading)} />}
        />
      </div>
      {errors.length > 0 && (
        <section className={styles.errors} aria-label={t(editorMessages.errors)}>
          <ul>
            {errors.map((error) => (
              <li
                key={
                  `${error.document ?? 0} ${error.line ?? 0} ${error.column ?? 0} ${error.field ?? ''} ` + error.message
                }
              >
                <button
                  type="button"
                  className={styles.error}
                  disabled={error.line === undefined}
                  onClick={() => code.current?.goTo(error.line ?? 1, error.column)}
                >
                  <StateMark tone={isPolicy(error) ? 'waiting' : 'error'} size={10} />
                  <span className={styles.place}>
                    {error.line === undefined ? '' : `${error.line}:${error.column ?? 1}`}
                  </span>
                  {isPolicy(error) && (
                    <span className={styles.policy} title={t(editorMessages.policyNote)}>
                      {t(editorMessages.policy)}
                    </span>
                  )}
                  <span>
                    {error.field && <code className={styles.field}>{error.field}: </code>}
                    {withoutField(error)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <WorkloadHint text={settled} />
      <AddedFields text={settled} />
      <footer className={styles.foot}>
        <p className={styles.verdict} role="status">
          {verdict(t, {
            connected,
            refusal,
            text: draft.text,
            errors: errors.length,
            isValid: result?.errors.length === 0,
            count: result?.applied.length ?? 0,
          })}
          {(apply.error ?? problem) && <span className={styles.bad}> {(apply.error ?? problem)?.message}</span>}
        </p>
        <Button onPress={closeEditor}>{t(editorMessages.cancel)}</Button>
        <Button kind="primary" isDisabled={isBlocked} onPress={submit}>
          {t(apply.isPending ? editorMessages.applying : editorMessages.apply)}
          <kbd className={styles.key}>Ctrl ↵</kbd>
        </Button>
      </footer>
    </div>
  );
}

/**
 * Removes the field name from the beginning of a message. Only validation messages begin with the field name, so the
 * list shows the field before all messages in the same way.
 */
const withoutField = ({ field, message }: ManifestError): string =>
  field !== undefined && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;

interface VerdictInput {
  readonly connected: boolean;
  readonly refusal: string | undefined;
  readonly text: string;
  readonly errors: number;
  readonly isValid: boolean;
  readonly count: number;
}

function verdict(
  t: ReturnType<typeof useT>,
  { connected, refusal, text, errors, isValid, count }: VerdictInput,
): string {
  if (!connected) return t(editorMessages.notConnected);
  if (refusal !== undefined) return refusal;
  if (text.trim() === '') return t(editorMessages.start);
  if (errors > 0) return t(editorMessages.toFix, { count: errors });
  return isValid ? t(editorMessages.valid, { count }) : t(editorMessages.checking);
}
