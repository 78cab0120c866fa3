/** Shows the lesson: text, question, result and navigation. Default export: loaded with the first lesson. */
import type { LessonStep, Look } from '@podscope/lessons';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useId, useRef, useState } from 'react';
import { copyText } from '../../../base/clipboard.ts';
import { translate, useLanguage, useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { Button, IconButton } from '../../../base/ui/fields/Button.tsx';
import { lazyPart } from '../../../base/ui/lazy-part.tsx';
import { cx } from '../../../base/ui/marks/cx.ts';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { SpokenText } from '../../../base/ui/marks/SpokenText.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { lessonAddress } from '../../../node/address/address.ts';
import { lessonAfter, loadLesson } from '../library/lesson-library.ts';
import { lessonMessages as texts } from '../messages.en.ts';
import { stepOf, useLesson } from '../player/lesson-store.ts';
import { goToPlace } from '../player/look.ts';
import {
  closeLesson,
  continueFromStop,
  goToStep,
  openLesson,
  playStep,
  translateOpenLesson,
} from '../player/play-lesson.ts';
import { ExerciseForm } from './ExerciseForm.tsx';
import styles from './LessonPanel.module.css';
import { LessonText } from './LessonText.tsx';

const PrintedLesson = lazyPart(() => import('./PrintedLesson.tsx'));

async function copyLink(lesson: string, step: string): Promise<void> {
  const link = lessonAddress(lesson, step);
  try {
    await copyText(link);
    notify('success', translate(texts.linkCopied));
  } catch {
    notify('error', translate(texts.noClipboard, { link }));
  }
}

function Verdict({ question }: { readonly question: NonNullable<LessonStep['question']> }) {
  const t = useT();
  const { answer, right, source } = useLesson();
  const isRight = right !== undefined && right === answer;
  const remark = answer === undefined ? undefined : question.remarks[answer];
  return (
    <div
      className={cx(styles.verdict, right === undefined ? undefined : isRight ? styles.right : styles.wrong)}
      role="status"
    >
      <p className={styles.judged}>
        <StateMark tone={right === undefined ? 'waiting' : isRight ? 'done' : 'error'} size={12} />
        {right === undefined
          ? t(source ? texts.undecidedOwn : texts.undecided)
          : isRight
            ? t(texts.right)
            : t(texts.wrong, { option: question.options[right] ?? '' })}
      </p>
      {right !== undefined && !isRight && remark !== undefined && <LessonText>{remark}</LessonText>}
      <LessonText>{question.explanation}</LessonText>
    </div>
  );
}

function QuestionForm({ question }: { readonly question: NonNullable<LessonStep['question']> }) {
  const t = useT();
  const { phase, answer, right } = useLesson();
  const [chosen, setChosen] = useState<number>();
  const name = useId();
  const isOpen = phase === 'ready';
  const isJudged = phase === 'over' && right !== undefined;
  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined) void playStep(chosen);
      }}
    >
      <fieldset disabled={!isOpen} className={styles.options}>
        <legend className={styles.asked}>{question.text}</legend>
        {question.options.map((option, index) => (
          <Fragment key={option}>
            <label className={cx(styles.option, (answer ?? chosen) === index && styles.chosen)}>
              <input
                type="radio"
                name={name}
                checked={(answer ?? chosen) === index}
                onChange={() => setChosen(index)}
              />
              <span className={styles.words}>{option}</span>
              {isJudged && (index === right || index === answer) && (
                <span className={styles.mark}>
                  <StateMark tone={index === right ? 'done' : 'error'} size={12} />
                  <SpokenText>{t(index === right ? texts.happened : texts.didNotHappen)}</SpokenText>
                </span>
              )}
            </label>
            {isJudged && index !== right && index !== answer && question.remarks[index] !== undefined && (
              <div className={styles.remark}>
                <LessonText>{question.remarks[index]}</LessonText>
              </div>
            )}
          </Fragment>
        ))}
      </fieldset>
      {isOpen && (
        <Button kind="primary" type="submit" isDisabled={chosen === undefined}>
          {t(texts.playStep)}
        </Button>
      )}
    </form>
  );
}

/** Tells users of screen readers which part is highlighted, and moves the focus to it. */
function LookAt({ places }: { readonly places: readonly Look[] }) {
  const t = useT();
  return (
    <p className={styles.look}>
      <Icon name="search" size={13} />
      <span>{t(texts.lookAt)}</span>
      {places.map((place) => {
        const { at } = place;
        const container = 'container' in place ? place.container : undefined;
        return (
          <button key={`${at} ${container ?? ''}`} type="button" className={styles.goTo} onClick={() => goToPlace(at)}>
            {t(container === undefined ? texts.where : texts.lane, { at, container: container ?? '' })}
          </button>
        );
      })}
    </p>
  );
}

/** Shows the stop of the step's breakpoint and the button that continues. */
function Stopped() {
  const t = useT();
  const { stop } = useLesson();
  return (
    <div className={styles.stopped} role="status">
      {stop && <p>{t(texts.stopped, { phase: stop.phase, point: stop.point })}</p>}
      {stop && stop.watched.length > 0 && (
        <dl className={styles.watched}>
          {stop.watched.map(({ expression, value }) => (
            <Fragment key={expression}>
              <dt>{expression}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      <Button kind="primary" onPress={() => void continueFromStop()}>
        {t(texts.continueFromStop)}
      </Button>
    </div>
  );
}

function Step({ step }: { readonly step: LessonStep }) {
  const t = useT();
  const { phase, answer, problem } = useLesson();
  return (
    <>
      <div className={styles.body}>
        <LessonText>{step.body}</LessonText>
      </div>
      {step.scene?.look && phase !== 'setting' && <LookAt places={step.scene.look} />}
      {phase === 'setting' && <p className={styles.busy}>{t(texts.setting)}</p>}
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {step.question && phase !== 'setting' && <QuestionForm question={step.question} />}
      {step.exercise && step.task && phase !== 'setting' && <ExerciseForm task={step.task} />}
      {!step.question && !step.exercise && phase === 'ready' && (
        <Button kind="primary" onPress={() => void playStep(undefined)}>
          {t(texts.playStep)}
        </Button>
      )}
      {phase === 'stopped' && <Stopped />}
      {phase === 'playing' && !step.exercise && <p className={styles.busy}>{t(texts.playing)}</p>}
      {step.question && phase === 'over' && answer !== undefined && <Verdict question={step.question} />}
    </>
  );
}

/** Screen readers announce the new step, because it takes the focus. */
function StepTitle({ title }: { readonly title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className={styles.title}>
      {title}
    </h2>
  );
}

export default function LessonPanel() {
  const t = useT();
  const state = useLesson();
  const language = useLanguage();
  const { lesson, step: index, phase } = state;
  const step = stepOf(state);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    void translateOpenLesson(language);
  }, [language]);
  // The pressed button disappears, so move the focus to the button that continues.
  useEffect(() => {
    const wayOn =
      phase === 'over' ? 'footer button:last-of-type' : phase === 'stopped' ? '[role="status"] button' : undefined;
    if (wayOn !== undefined && document.activeElement === document.body)
      panel.current?.querySelector<HTMLElement>(wayOn)?.focus();
  }, [phase]);
  const [isPrinting, setPrinting] = useState(false);
  const nextId = lesson && !state.source ? lessonAfter(lesson.id) : undefined;
  const following = useQuery({
    queryKey: ['lesson', nextId, language],
    queryFn: () => loadLesson(nextId ?? '', language),
    enabled: nextId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  if (!lesson || !step) return null;
  const isLast = index === lesson.steps.length - 1;
  return (
    <aside
      ref={panel}
      className={cx(styles.panel, step.exercise && styles.wide)}
      data-phase={phase}
      aria-label={`${t(texts.lesson)}: ${lesson.title}`}
    >
      <header className={styles.head}>
        <div className={styles.titles}>
          <p className={styles.lesson}>{lesson.title}</p>
          <p className={styles.place}>{t(texts.place, { step: index + 1, count: lesson.steps.length })}</p>
        </div>
        {!state.source && (
          <IconButton icon="link" label={t(texts.copyLink)} onPress={() => void copyLink(lesson.id, step.id)} />
        )}
        <IconButton icon="print" label={t(texts.print)} onPress={() => setPrinting(true)} />
        <IconButton icon="close" label={t(texts.close)} onPress={closeLesson} />
      </header>
      {isPrinting && <PrintedLesson lesson={lesson} onPrinted={() => setPrinting(false)} />}
      <progress
        className={styles.progress}
        value={index + (phase === 'over' ? 1 : 0)}
        max={lesson.steps.length}
        aria-label={t(texts.place, { step: index + 1, count: lesson.steps.length })}
      />
      <div className={styles.scroll}>
        <StepTitle key={step.id} title={step.title} />
        <Step key={`${step.id} ${phase === 'setting' ? 'new' : ''}`} step={step} />
        {isLast && phase === 'over' && following && (
          <p className={styles.following}>{t(texts.following, { title: following.title })}</p>
        )}
      </div>
      <footer className={styles.foot}>
        <Button isDisabled={index === 0} onPress={() => void goToStep(index - 1)}>
          {t(texts.back)}
        </Button>
        <Button
          kind="quiet"
          isDisabled={phase === 'setting' || phase === 'playing'}
          onPress={() => void goToStep(index)}
        >
          {t(texts.again)}
        </Button>
        <span className={styles.gap} />
        {isLast ? (
          <>
            <Button kind={phase === 'over' && !following ? 'primary' : 'plain'} onPress={closeLesson}>
              {t(texts.finish)}
            </Button>
            {following && (
              <Button kind={phase === 'over' ? 'primary' : 'plain'} onPress={() => void openLesson(following.id)}>
                {t(texts.nextLesson)}
              </Button>
            )}
          </>
        ) : (
          <Button kind={phase === 'over' ? 'primary' : 'plain'} onPress={() => void goToStep(index + 1)}>
            {t(texts.next)}
          </Button>
        )}
      </footer>
    </aside>
  );
}
