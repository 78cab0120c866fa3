/** Offers to use the pod templates of workloads. Default export: loaded when first opened. */
import { useMemo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { useDraft } from './draft.ts';
import { editorMessages as texts } from './messages.en.ts';
import styles from './WorkloadHint.module.css';
import { podsOfWorkloads } from './workload-pods.ts';

export default function WorkloadHint({ text }: { readonly text: string }) {
  const t = useT();
  const pods = useMemo(() => podsOfWorkloads(text), [text]);
  if (!pods) return null;
  const count = pods.names.length;
  return (
    <div className={styles.hint} role="status">
      <p>{t(texts.workloads, { names: pods.names.join(', '), count })}</p>
      <Button icon="pods" onPress={() => useDraft.setState({ text: pods.text })}>
        {t(texts.takeTemplates, { count })}
      </Button>
    </div>
  );
}
