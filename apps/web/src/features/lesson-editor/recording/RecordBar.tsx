/** Renders the bar of a recording in progress. It marks moments and ends the recording. */
import { translate, useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { openDialog } from '../../../node/view/interface.ts';
import { editorMessages as texts } from '../messages.en.ts';
import { endRecording, finishRecording, markMoment } from '../record.ts';
import styles from './RecordBar.module.css';
import { useRecording } from './recording-store.ts';

function finish(): void {
  const omitted = finishRecording();
  if (omitted.length > 0) notify('error', translate(texts.omitted, { commands: [...new Set(omitted)].join(', ') }));
  openDialog('lessonEditor');
}

export function RecordBar() {
  const t = useT();
  const recording = useRecording((state) => state.recording);
  if (!recording) return null;
  const { moments } = recording;
  const last = moments.at(-1);
  return (
    <section className={styles.bar} aria-label={t(texts.recording)}>
      <strong className={styles.title}>{t(texts.recording)}</strong>
      <span className={styles.state} role="status">
        {t(texts.marked, { count: moments.length })}
        {last && ` · ${t(texts.lastMoment, { seconds: last.at.toFixed(1) })}`}
      </span>
      <span className={styles.note}>{t(texts.howToRecord)}</span>
      <Button kind="primary" onPress={markMoment}>
        {t(texts.mark)}
      </Button>
      <Button isDisabled={moments.length === 0} onPress={finish}>
        {t(texts.finish)}
      </Button>
      <Button kind="quiet" onPress={endRecording}>
        {t(texts.cancel)}
      </Button>
    </section>
  );
}
