/** Manages fault plans, active faults and hanging calls. Default export: loaded when first opened. */
import { errorMessage } from '@podscope/base';
import type { FaultPlanState, FaultState, HeldCall } from '@podscope/protocol';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { Switch } from '../../base/ui/fields/Switch.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { formatAge } from '../../base/ui/text/format.ts';
import { useDebugState, usePoints } from '../../node/debugger/use-debug.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useNow } from '../../node/run/use-now.ts';
import { closeDialog } from '../../node/view/interface.ts';
import { readManifest } from '../editor/index.ts';
import { describeFault } from './describe-fault.ts';
import { examplePlans } from './example-plans.ts';
import styles from './Faults.module.css';
import { deletePlan, enablePlan, releaseCall, removeFault } from './fault-actions.ts';
import { faultMessages as texts } from './messages.en.ts';
import { PlanEditor } from './PlanEditor.tsx';

interface Draft {
  readonly yaml: string;
  readonly enabled: boolean;
}

function Plan({ plan, onEdit }: { readonly plan: FaultPlanState; readonly onEdit: () => void }) {
  const session = useSession();
  const t = useT();
  const { name, description, enabled, faults, yaml } = plan;
  const save = async (): Promise<void> => {
    const { download } = await import('../../node/files/save-run.ts');
    download(new Blob([yaml], { type: 'application/yaml' }), `${name}.yaml`);
  };
  return (
    <li className={styles.row}>
      <Switch
        label={t(texts.inForce, { name })}
        isSelected={enabled}
        onChange={(on) => void enablePlan(session, name, on)}
      />
      <span className={styles.words}>
        <span className={styles.name}>
          {name} <span className={styles.quiet}>{t(texts.count, { count: faults })}</span>
        </span>
        {description !== undefined && <span className={styles.quiet}>{description}</span>}
      </span>
      <IconButton icon="edit" label={t(texts.editNamed, { name })} onPress={onEdit} />
      <IconButton icon="download" label={t(texts.saveNamed, { name })} onPress={() => void save()} />
      <IconButton icon="trash" label={t(texts.deleteNamed, { name })} onPress={() => void deletePlan(session, name)} />
    </li>
  );
}

function Plans({
  plans,
  onEdit,
}: {
  readonly plans: readonly FaultPlanState[];
  readonly onEdit: (draft: Draft) => void;
}) {
  const t = useT();
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      onEdit({ yaml: await readManifest(file), enabled: true });
    } catch (error) {
      notify('error', errorMessage(error));
    }
  };
  return (
    <section aria-labelledby="plans-heading">
      <h3 id="plans-heading" className={styles.heading}>
        {t(texts.plans)}
      </h3>
      {plans.length > 0 && (
        <ul>
          {plans.map((plan) => (
            <Plan key={plan.name} plan={plan} onEdit={() => onEdit({ yaml: plan.yaml, enabled: plan.enabled })} />
          ))}
        </ul>
      )}
      {plans.length === 0 && <p className={styles.text}>{t(texts.noPlans)}</p>}
      <div className={styles.actions}>
        <Button icon="plus" onPress={() => onEdit({ yaml: examplePlans[0].yaml, enabled: true })}>
          {t(texts.newPlan)}
        </Button>
        <FileTrigger acceptedFileTypes={['.yaml', '.yml', 'text/yaml']} onSelect={(files) => void open(files?.[0])}>
          <Button icon="file">{t(texts.openPlan)}</Button>
        </FileTrigger>
      </div>
      <p className={styles.examples}>
        {t(texts.examples)}
        {examplePlans.map(({ title, yaml }) => (
          <Button key={title} kind="quiet" onPress={() => onEdit({ yaml, enabled: true })}>
            {t(texts[title])}
          </Button>
        ))}
      </p>
    </section>
  );
}

function Fault({ fault }: { readonly fault: FaultState }) {
  const session = useSession();
  const t = useT();
  const { spec, group, applied, verified, message } = fault;
  const { what, details } = describeFault(spec);
  const plan = group.startsWith('plan/') ? group.slice('plan/'.length) : undefined;
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{spec.name ?? what}</span>
        {[spec.name === undefined ? '' : what, details].map(
          (line) =>
            line !== '' && (
              <span key={line} className={styles.quiet}>
                {line}
              </span>
            ),
        )}
        {!verified && <span className={styles.problem}>{message}</span>}
      </span>
      {plan !== undefined && <span className={styles.tag}>{plan}</span>}
      <span className={styles.quiet}>{t(texts.applied, { count: applied })}</span>
      {plan === undefined && (
        <IconButton
          icon="trash"
          label={t(texts.removeFault, { what })}
          onPress={() => void removeFault(session, fault)}
        />
      )}
    </li>
  );
}

function Held({ call: { id, point, pod, since } }: { readonly call: HeldCall }) {
  const session = useSession();
  const now = useNow();
  const points = usePoints();
  const t = useT();
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>
          {pointTitle(t, point, points?.points.find((each) => each.id === point)?.title ?? point)}
        </span>
        <span className={styles.quiet}>
          {t(texts.hangsSince, { pod: session.run.pod(pod)?.name ?? '', age: formatAge(now - since) })}
        </span>
      </span>
      <Button onPress={() => void releaseCall(session, id)}>{t(texts.release)}</Button>
    </li>
  );
}

export default function FaultsDialog() {
  const state = useDebugState();
  const t = useT();
  const [draft, setDraft] = useState<Draft>();
  if (draft) {
    return (
      <PageDialog title={t(texts.plan)} icon="bolt" onClose={closeDialog}>
        <PlanEditor yaml={draft.yaml} enabled={draft.enabled} onDone={() => setDraft(undefined)} />
      </PageDialog>
    );
  }
  return (
    <PageDialog title={t(texts.title)} icon="bolt" onClose={closeDialog}>
      <div className={styles.body}>
        <p className={styles.text}>{t(texts.intro)}</p>
        {state && state.held.length > 0 && (
          <section aria-labelledby="held-heading">
            <h3 id="held-heading" className={styles.heading}>
              {t(texts.held)}
            </h3>
            <ul>
              {state.held.map((call) => (
                <Held key={call.id} call={call} />
              ))}
            </ul>
          </section>
        )}
        <section aria-labelledby="active-heading">
          <h3 id="active-heading" className={styles.heading}>
            {t(texts.active)}
          </h3>
          {state && state.faults.length > 0 ? (
            <ul>
              {state.faults.map((fault) => (
                <Fault key={fault.id} fault={fault} />
              ))}
            </ul>
          ) : (
            <p className={styles.text}>{t(texts.noneActive)}</p>
          )}
        </section>
        <Plans plans={state?.plans ?? []} onEdit={setDraft} />
      </div>
    </PageDialog>
  );
}
