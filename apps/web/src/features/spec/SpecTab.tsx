/**
 * Shows the pod at the shown instant: as YAML, or as a table of desired, allocated and observed state. Default export:
 * loaded when first opened.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button, Toggle } from '../../base/ui/fields/Button.tsx';
import { Choice } from '../../base/ui/fields/Choice.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { CopyButton } from '../../base/ui/text/CopyText.tsx';
import { useRefusal } from '../../node/run/refusal.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import { useIsPast } from '../../node/travel/use-travel.ts';
import { openEditor } from '../../node/view/interface.ts';
import { type CodeViewHandle, LazyCodeView } from '../editor/index.ts';
import { specMessages } from './messages.en.ts';
import { lineOfField, podYaml, resourceVersionOf } from './pod-yaml.ts';
import styles from './SpecTab.module.css';
import { useSpecTarget } from './spec-target.ts';
import { ThreeStates } from './ThreeStates.tsx';

type SpecView = 'yaml' | 'states';

export default function SpecTab() {
  const refusal = useRefusal();
  const isObserved = useNodeInfo()?.observed !== undefined;
  const t = useT();
  const versioned = useSelectedPod();
  const { pod, version } = versioned;
  const isPast = useIsPast();
  const field = useSpecTarget((target) => target.field);
  const [chosen, setView] = useState<SpecView>('yaml');
  const [differencesOnly, setDifferencesOnly] = useState(false);
  const code = useRef<CodeViewHandle>(null);
  const yaml = useMemo(() => (versioned.pod ? podYaml(versioned.pod) : ''), [versioned]);
  // If a field was requested, show the YAML view, which contains the field.
  const view = field === undefined ? chosen : 'yaml';
  const text = useRef(yaml);
  useEffect(() => {
    text.current = yaml;
  }, [yaml]);
  useEffect(() => {
    if (field === undefined) return;
    const line = lineOfField(text.current, field.path);
    if (line !== undefined) code.current?.goTo(line);
  }, [field]);
  if (!pod) return null;
  if (yaml === '') return <EmptyState icon="file" title={t(specMessages.unknown)} />;
  const isGone = pod.deletedAt !== undefined;
  const values = { version: resourceVersionOf(pod.object) ?? '–' };
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Choice
          label={t(specMessages.view)}
          value={view}
          options={[
            { id: 'yaml', label: t(specMessages.yaml) },
            { id: 'states', label: t(specMessages.states) },
          ]}
          onChange={(next) => {
            useSpecTarget.setState({ field: undefined });
            setView(next);
          }}
        />
        <span className={styles.note}>
          {view === 'states'
            ? t(specMessages.statesNote)
            : t(isGone ? specMessages.asItWas : isPast ? specMessages.asOfThen : specMessages.asItIs, values)}
        </span>
        {view === 'states' ? (
          <Toggle isSelected={differencesOnly} onChange={setDifferencesOnly}>
            {t(specMessages.differencesOnly)}
          </Toggle>
        ) : (
          <>
            {/* The pods of an observed kubelet come from the sources of that kubelet, not from an API of Podscope. */}
            {!isObserved && (
              <Button
                kind="quiet"
                icon="edit"
                refusal={refusal}
                onPress={() => openEditor(yaml, `${pod.namespace}/${pod.name}`)}
              >
                {t(specMessages.edit)}
              </Button>
            )}
            <CopyButton text={yaml} label={t(specMessages.copyYaml)} />
          </>
        )}
      </div>
      {view === 'states' ? (
        <ThreeStates pod={pod} version={version} differencesOnly={differencesOnly} />
      ) : (
        <div className={styles.code}>
          <LazyCodeView
            key={pod.uid}
            ref={code}
            label={t(specMessages.yamlOf, { name: pod.name })}
            text={yaml}
            readOnly
            startAt={field && lineOfField(yaml, field.path)}
            fallback={<EmptyState busy title={t(specMessages.loading)} />}
          />
        </div>
      )}
    </div>
  );
}
