/** Renders the learner's bar: joining, the state of the class, the raised hand, consent, and the teacher's question. */
import { type RefusalReason } from '@podscope/classroom';
import { useId, useLayoutEffect, useState } from 'react';
import type { Message } from '../../../base/i18n/define-messages.ts';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { addressedClass, goTo, pageAddress } from '../../../node/address/address.ts';
import { retryClass, sendToClass } from '../client/class-client.ts';
import { ownLearner, useClass } from '../client/class-store.ts';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { TaskName } from '../shared/TaskName.tsx';
import { attend, keptIdentity, leaveClass } from './attend.ts';
import { QuestionCard } from './QuestionCard.tsx';

const refusals: Readonly<Record<RefusalReason, Message>> = {
  code: texts.refusedCode,
  full: texts.refusedFull,
  ended: texts.refusedEnded,
  tooMany: texts.refusedTooMany,
  protocol: texts.refusedProtocol,
  token: texts.refusedCode,
  removed: texts.refusedRemoved,
};

/** Number of failed attempts after which the bar explains what may prevent the connection. */
const manyAttempts = 2;

function Join({ code, server }: { readonly code: string; readonly server: string | undefined }) {
  const t = useT();
  const [name, setName] = useState('');
  const id = useId();
  return (
    <form
      className={styles.bar}
      aria-label={t(texts.join)}
      onSubmit={(event) => {
        event.preventDefault();
        attend(name.trim() || undefined);
      }}
    >
      <strong>{t(texts.joinClass, { code })}</strong>
      {server !== undefined && <span className={styles.note}>{t(texts.onServer, { server })}</span>}
      <label htmlFor={id}>{t(texts.yourName)}</label>
      <input
        id={id}
        className={styles.field}
        value={name}
        maxLength={40}
        autoComplete="off"
        placeholder={t(texts.optional)}
        onChange={({ target }) => setName(target.value)}
      />
      <Button kind="primary" type="submit">
        {t(texts.join)}
      </Button>
      <span className={styles.note}>{t(texts.nameNote)}</span>
    </form>
  );
}

/** Asks for the code of the class, which an address that was typed by hand doesn't have. */
function CodeForm({ problem }: { readonly problem?: string }) {
  const t = useT();
  const [code, setCode] = useState('');
  const id = useId();
  return (
    <form
      className={styles.bar}
      aria-label={t(texts.join)}
      onSubmit={(event) => {
        event.preventDefault();
        const address = pageAddress();
        address.searchParams.set('class', code.trim().toUpperCase());
        goTo(address.href);
      }}
    >
      {problem !== undefined && <span role="alert">{problem}</span>}
      <label htmlFor={id}>{t(texts.enterCode)}</label>
      <input
        id={id}
        className={styles.field}
        value={code}
        maxLength={12}
        autoComplete="off"
        autoCapitalize="characters"
        onChange={({ target }) => setCode(target.value)}
      />
      <Button kind="primary" type="submit" isDisabled={code.trim() === ''}>
        {t(texts.next)}
      </Button>
    </form>
  );
}

/** Explains possible reasons for a missing connection. */
function NoConnection() {
  const t = useT();
  const attempts = useClass((state) => state.attempts);
  const hasJoined = useClass(({ class: id }) => id !== undefined);
  const isSecure = location.protocol === 'https:';
  return (
    <div className={styles.warning} role="alert">
      <Icon name="warning" size={14} />
      <span className={styles.grow}>
        {t(hasJoined ? texts.lost : texts.connecting)}
        {attempts >= manyAttempts && ` ${t(isSecure ? texts.unreachableSecure : texts.unreachable)}`}
      </span>
      <Button onPress={retryClass}>{t(texts.retry)}</Button>
    </div>
  );
}

function Consent() {
  const t = useT();
  const consent = useClass((state) => ownLearner(state)?.consent ?? 'no');
  const isWatched = useClass((state) => ownLearner(state)?.isWatched === true);
  const answer = (given: boolean): void => sendToClass({ type: 'consent', given });
  if (consent === 'asked')
    return (
      <span className={styles.ask} role="alert">
        {t(texts.consentAsked)}
        <Button kind="primary" onPress={() => answer(true)}>
          {t(texts.allow)}
        </Button>
        <Button onPress={() => answer(false)}>{t(texts.deny)}</Button>
      </span>
    );
  return (
    <>
      {isWatched && (
        <span className={styles.note} role="status">
          <Icon name="shown" size={13} /> {t(consent === 'given' ? texts.watchedWithConsent : texts.watched)}
        </span>
      )}
      {consent === 'given' && <Button onPress={() => answer(false)}>{t(texts.withdraw)}</Button>}
    </>
  );
}

function Member() {
  const t = useT();
  const own = useClass(ownLearner);
  const sharedView = useClass(({ state }) => state.sharedView);
  const task = useClass(({ state }) => state.tasks.at(-1));
  const isAway = useClass(({ phase }) => phase !== 'live');
  if (!own) return null;
  const hasHand = own.handAt !== undefined;
  const status = task && own.tasks[task.id];
  return (
    <>
      {isAway && <NoConnection />}
      <section className={styles.bar} aria-label={t(texts.class)}>
        <strong>{own.name ?? t(texts.unnamed, { number: own.number })}</strong>
        {sharedView ? (
          <span className={styles.live} role="status">
            <Icon name="shown" size={13} /> {t(texts.teacherShows)}
          </span>
        ) : (
          task && (
            <span className={styles.note} role="status">
              <TaskName task={task} /> {status && t(texts.taskStatus, { status: status.status })} {status?.message}
            </span>
          )
        )}
        <span className={styles.gap} />
        <Consent />
        <Button
          kind={hasHand ? 'primary' : 'plain'}
          icon="hand"
          aria-pressed={hasHand}
          onPress={() => sendToClass({ type: 'hand', raised: !hasHand })}
        >
          {t(hasHand ? texts.lowerHand : texts.raiseHand)}
        </Button>
        <Button kind="quiet" onPress={leaveClass}>
          {t(texts.leave)}
        </Button>
      </section>
      <QuestionCard />
    </>
  );
}

export function LearnerBar() {
  const t = useT();
  const phase = useClass((state) => state.phase);
  const refusal = useClass((state) => state.refusal);
  const hasEnded = useClass(({ state }) => state.endedAt !== undefined);
  // After a reload, join the class again without the form.
  useLayoutEffect(() => {
    if (addressedClass?.role !== 'learner' || useClass.getState().phase !== 'joining') return;
    if (keptIdentity(addressedClass)) attend(undefined);
  }, []);
  if (addressedClass?.role !== 'learner') return null;
  const { code, server } = addressedClass;
  if (hasEnded || refusal === 'ended')
    return (
      <section className={styles.bar} role="status">
        {t(texts.refusedEnded)}
      </section>
    );
  if (code === '') return <CodeForm />;
  if (refusal === 'code') return <CodeForm problem={t(texts.refusedCode)} />;
  if (refusal)
    return (
      <section className={styles.warning} role="alert">
        <Icon name="warning" size={14} /> {t(refusals[refusal])}
      </section>
    );
  if (phase === 'joining') return <Join code={code} server={server} />;
  if (phase === 'connecting') return <NoConnection />;
  return <Member />;
}
