/** Renders the teacher's bar: what all screens show, tasks, questions, and a link to the dashboard. */
import { useEffect } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Select } from '../../../base/ui/fields/Select.tsx';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { useNodeInfo } from '../../../node/run/use-run.ts';
import { sendToClass } from '../client/class-client.ts';
import { useClass } from '../client/class-store.ts';
import { PresenterButton } from '../link/PresenterButton.tsx';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { AskDialog } from './AskDialog.tsx';
import { Dashboard } from './Dashboard.tsx';
import { DoDialog } from './DoDialog.tsx';
import { EndDialog } from './EndDialog.tsx';
import { pointThere, release, showEveryone, teach, unwatch, useTeach } from './teach.ts';

/** Shows actions for the learner whose run the teacher watches. */
function Watched({ id }: { readonly id: string }) {
  const t = useT();
  const learner = useClass(({ state }) => state.learners[id]);
  const steps = useNodeInfo()?.steps ?? [];
  if (!learner) return null;
  const name = learner.name ?? t(texts.unnamed, { number: learner.number });
  const [breakpoint] = learner.breakpoints;
  return (
    <section className={styles.bar} aria-label={t(texts.runOf, { name })}>
      <Icon name="shown" size={14} />
      <strong>{t(texts.runOf, { name })}</strong>
      <span className={styles.note}>{t(texts.readOnly)}</span>
      {learner.consent === 'given' ? (
        <>
          <Button onPress={() => pointThere(id)}>{t(texts.pointHere)}</Button>
          <span className={styles.group}>
            {t(texts.stopAt)}
            <Select
              label={t(texts.stopAt)}
              value={breakpoint?.point}
              options={steps.map((step) => ({ id: step.id, label: step.title }))}
              onChange={(point) => sendToClass({ type: 'breakpoints', learner: id, breakpoints: [{ point }] })}
            />
            {breakpoint && (
              <Button onPress={() => sendToClass({ type: 'breakpoints', learner: id, breakpoints: [] })}>
                {t(texts.clear)}
              </Button>
            )}
          </span>
        </>
      ) : (
        <Button
          isDisabled={learner.consent === 'asked'}
          onPress={() => sendToClass({ type: 'askConsent', learner: id })}
        >
          {t(learner.consent === 'asked' ? texts.asked : texts.askConsent)}
        </Button>
      )}
      <span className={styles.gap} />
      <Button icon="close" onPress={unwatch}>
        {t(texts.closeRun)}
      </Button>
    </section>
  );
}

export function TeacherBar() {
  const t = useT();
  const { watched, isDashboardOpen, dialog } = useTeach();
  // The class's state, and not this page's, because a reload of the page doesn't release the screens.
  const isShowing = useClass(({ state }) => state.sharedView !== null);
  const phase = useClass((store) => store.phase);
  const refusal = useClass((store) => store.refusal);
  const joinInfo = useClass((store) => store.joinInfo);
  const hasEnded = useClass(({ state }) => state.endedAt !== undefined);
  const count = useClass(({ state }) => Object.values(state.learners).filter(({ connected }) => connected).length);
  const hands = useClass(
    ({ state }) => Object.values(state.learners).filter(({ handAt }) => handAt !== undefined).length,
  );
  useEffect(() => teach(), []);
  return (
    <>
      {phase !== 'live' && (
        <div className={styles.warning} role="alert">
          <Icon name="warning" size={14} /> {t(refusal ? texts.refusedTeacher : texts.serverAway)}
        </div>
      )}
      <section className={styles.bar} aria-label={t(texts.class)}>
        <strong>{t(texts.class)}</strong>
        {joinInfo && !hasEnded && <code>{joinInfo.code}</code>}
        <span role="status">
          {t(texts.learnerCount, { count })}
          {hands > 0 && ` · ${t(texts.handCount, { count: hands })}`}
        </span>
        <Button
          kind={isShowing ? 'primary' : 'plain'}
          icon="shown"
          aria-pressed={isShowing}
          isDisabled={hasEnded || watched !== undefined}
          onPress={isShowing ? release : showEveryone}
        >
          {t(isShowing ? texts.releaseAll : texts.lookHere)}
        </Button>
        <Button icon="play" isDisabled={hasEnded} onPress={() => useTeach.setState({ dialog: 'do' })}>
          {t(texts.doThis)}
        </Button>
        <Button icon="help" isDisabled={hasEnded} onPress={() => useTeach.setState({ dialog: 'ask' })}>
          {t(texts.ask)}
        </Button>
        <span className={styles.gap} />
        <PresenterButton />
        <Button
          icon="pods"
          aria-pressed={isDashboardOpen}
          onPress={() => useTeach.setState({ isDashboardOpen: !isDashboardOpen })}
        >
          {t(isDashboardOpen ? texts.hideDashboard : texts.showDashboard)}
        </Button>
        {!hasEnded && (
          <Button kind="quiet" onPress={() => useTeach.setState({ dialog: 'end' })}>
            {t(texts.end)}
          </Button>
        )}
      </section>
      {watched !== undefined && <Watched id={watched} />}
      {isDashboardOpen && <Dashboard />}
      {dialog === 'ask' && <AskDialog />}
      {dialog === 'do' && <DoDialog />}
      {dialog === 'end' && <EndDialog />}
    </>
  );
}
