/** Starts a class on the server of this page, or explains how to start one. */
import { useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { CopyText } from '../../../base/ui/text/CopyText.tsx';
import { isPageSource, pageAddress } from '../../../node/address/address.ts';
import { closeDialog } from '../../../node/view/interface.ts';
import styles from '../shared/Classroom.module.css';
import { classMessages as texts } from '../shared/messages.en.ts';

/** Starts the class. @returns the address of the teacher's page @throws Error with the server's reason */
async function startClass(): Promise<string> {
  const response = await fetch(new URL('/classroom', pageAddress()), { method: 'POST' });
  if (!response.ok) throw new Error((await response.text()).trim());
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'url' in answer && typeof answer.url === 'string')
    return answer.url;
  throw new Error('url');
}

export function ClassDialog() {
  const t = useT();
  const [url, setUrl] = useState<string>();
  const [problem, setProblem] = useState<string>();
  return (
    <PageDialog title={t(texts.startTitle)} icon="hand" onClose={closeDialog}>
      <div className={styles.form}>
        <p>{t(texts.startNote)}</p>
        {isPageSource ? (
          <>
            <p>{t(texts.startCommand)}</p>
            <CopyText text="npx -y pnpm@12 start --class" label={t(texts.copyCommand)} />
          </>
        ) : url === undefined ? (
          <Button
            kind="primary"
            onPress={() => void startClass().then(setUrl, (error: Error) => setProblem(error.message))}
          >
            {t(texts.start)}
          </Button>
        ) : (
          <p>
            <a href={url} target="_blank" rel="noopener">
              {t(texts.openTeacherPage)}
            </a>
          </p>
        )}
        {problem !== undefined && <p role="alert">{problem}</p>}
      </div>
    </PageDialog>
  );
}
