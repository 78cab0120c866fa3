/** Shows a question of the teacher, accepts the answer, and then shows what happened in the run. */
import type { Question, Verdict } from '@podscope/classroom';
import { useState } from 'react';
import type { Message } from '../../../base/i18n/define-messages.ts';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { StateMark } from '../../../base/ui/marks/StateMark.tsx';
import { ownLearner, useClass } from '../client/class-store.ts';
import { answerText, optionsOf } from '../shared/answer-text.ts';
import { Bars } from '../shared/Bars.tsx';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { dismissQuestion, give, useAsked } from './answer-question.ts';

function AnswerForm({ question }: { readonly question: Question }) {
  const t = useT();
  const phase = useAsked((state) => state.phase);
  const answer = useAsked((state) => state.answer);
  const [chosen, setChosen] = useState<number>();
  const isOpen = phase === 'open';
  const options = optionsOf(question);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined) void give(chosen);
      }}
    >
      <fieldset className={styles.options} disabled={!isOpen}>
        <legend>{question.text}</legend>
        {options ? (
          options.map((option, index) => (
            <label key={option} className={styles.option}>
              <input
                type="radio"
                name={question.id}
                checked={(answer ?? chosen) === index}
                onChange={() => setChosen(index)}
              />
              {option}
            </label>
          ))
        ) : (
          <label className={styles.option}>
            <input
              type="number"
              className={styles.number}
              min={0}
              max={86_400}
              value={answer ?? chosen ?? ''}
              onChange={({ target }) => setChosen(target.value === '' ? undefined : target.valueAsNumber)}
            />
            {t(texts.seconds)}
          </label>
        )}
      </fieldset>
      {isOpen && (
        <Button kind="primary" type="submit" isDisabled={chosen === undefined || Number.isNaN(chosen)}>
          {t(texts.answer)}
        </Button>
      )}
    </form>
  );
}

/** Returns the message for a verdict. No run decides a question of the teacher's own. */
function verdictMessage({ kind }: Question, { right }: Verdict): Message {
  if (kind === 'choice') return right === null ? texts.sentChoice : right ? texts.rightChoice : texts.wrongChoice;
  return right === null ? texts.undecided : right ? texts.right : texts.wrong;
}

export function QuestionCard() {
  const t = useT();
  const { question, phase, verdict: ownVerdict } = useAsked();
  const given = useClass((store) => ownLearner(store)?.answers[question?.id ?? '']);
  const bars = useClass(({ state }) => state.questions.find((each) => each.question.id === question?.id)?.bars);
  if (!question) return null;
  // The class server's verdict counts. The verdict of the learner's own run is shown only until it arrives.
  const verdict = given?.verdict ?? ownVerdict;
  return (
    <section className={styles.question} aria-label={t(texts.question)}>
      <AnswerForm key={question.id} question={question} />
      <div role="status">
        {phase === 'setting' && t(texts.settingQuestion)}
        {phase === 'judging' && t(texts.judging)}
        {phase === 'judged' && verdict && (
          <span className={styles.verdict}>
            <StateMark tone={verdict.right === null ? 'waiting' : verdict.right ? 'done' : 'error'} size={12} />
            {t(verdictMessage(question, verdict), {
              actual: verdict.actual === undefined ? '' : answerText(question, verdict.actual),
            })}
          </span>
        )}
      </div>
      {bars && <Bars question={question} bars={bars} />}
      {phase === 'judged' && <Button onPress={dismissQuestion}>{t(texts.close)}</Button>}
    </section>
  );
}
