/** Ends the class. Afterwards the report contains no names, so the dialog offers to save it first. */
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { sendToClass } from '../client/class-client.ts';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';
import { ReportButtons } from './ReportButtons.tsx';
import { release, unwatch, useTeach } from './teach.ts';

export function EndDialog() {
  const t = useT();
  const end = (): void => {
    unwatch();
    release();
    sendToClass({ type: 'end' });
    useTeach.setState({ dialog: undefined, isDashboardOpen: true });
  };
  return (
    <PageDialog title={t(texts.end)} onClose={() => useTeach.setState({ dialog: undefined })}>
      <div className={styles.form}>
        <p>{t(texts.endNote)}</p>
        <ReportButtons />
        <Button kind="danger" onPress={end}>
          {t(texts.endNow)}
        </Button>
      </div>
    </PageDialog>
  );
}
