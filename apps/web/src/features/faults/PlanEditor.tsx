/** Edits a fault plan as YAML and shows the plan's errors. */
import type { ManifestError } from '@podscope/protocol';
import { useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useIsConnected } from '../../node/run/use-run.ts';
import { type CodeViewHandle, LazyCodeView } from '../editor/index.ts';
import styles from './Faults.module.css';
import { savePlan } from './fault-actions.ts';
import { faultMessages as texts } from './messages.en.ts';

interface PlanEditorProps {
  readonly yaml: string;
  /** True to activate the plan when it is saved. */
  readonly enabled: boolean;
  readonly onDone: () => void;
}

const textOf = ({ field, message }: ManifestError): string =>
  field && !message.startsWith(field) ? `${field}: ${message}` : message;

export function PlanEditor({ yaml, enabled, onDone }: PlanEditorProps) {
  const session = useSession();
  const isConnected = useIsConnected();
  const t = useT();
  const code = useRef<CodeViewHandle>(null);
  const [text, setText] = useState(yaml);
  const [errors, setErrors] = useState<readonly ManifestError[]>([]);
  const [faults, setFaults] = useState<
    readonly { readonly line: number | undefined; readonly column: number | undefined; readonly message: string }[]
  >([]);
  const save = async (): Promise<void> => {
    const found = await savePlan(session, text, enabled);
    if (!found) return;
    setErrors(found);
    setFaults(found.map((error) => ({ line: error.line, column: error.column, message: textOf(error) })));
    if (found.length === 0) onDone();
  };
  return (
    <div className={styles.editor}>
      <div className={styles.code}>
        <LazyCodeView
          ref={code}
          label={t(texts.planText)}
          text={text}
          faults={faults}
          focusFirst
          onChange={setText}
          onSubmit={() => void save()}
          fallback={<EmptyState busy title={t(texts.loadingEditor)} />}
        />
      </div>
      {errors.length > 0 && (
        <ul className={styles.errors} aria-label={t(texts.planErrors)}>
          {errors.map((error) => (
            <li key={`${error.line ?? 0} ${error.column ?? 0} ${error.message}`}>
              <button
                type="button"
                className={styles.error}
                onClick={() => code.current?.goTo(error.line ?? 1, error.column)}
              >
                <span className={styles.line}>
                  {error.line === undefined ? '' : `${error.line}:${error.column ?? 1}`}
                </span>
                {textOf(error)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <footer className={styles.foot}>
        <Button kind="quiet" onPress={onDone}>
          {t(texts.cancel)}
        </Button>
        <Button kind="primary" isDisabled={!isConnected || text.trim() === ''} onPress={() => void save()}>
          {t(texts.savePlan)}
        </Button>
      </footer>
    </div>
  );
}
