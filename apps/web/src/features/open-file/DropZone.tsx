/** Opens a file that is dropped anywhere on the page. */
import { useEffect, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { useInterface } from '../../node/view/interface.ts';
import styles from './DropZone.module.css';
import { openFileMessages } from './messages.en.ts';
import { openFiles, prepareToOpen } from './open-file.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

export function DropZone() {
  const t = useT();
  const isEditing = useInterface(({ editor }) => editor !== undefined);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // While the editor is open, the editor handles dropped files.
    if (isEditing) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    // Load the code while the user drags, so that it is available when the file is dropped.
    addEventListener('dragenter', (event) => hasFiles(event) && void prepareToOpen(), { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        void openFiles(Array.from(event.dataTransfer?.files ?? []));
      },
      { signal },
    );
    return () => stop.abort();
  }, [isEditing]);
  if (!isOver) return null;
  return <div className={styles.zone}>{t(openFileMessages.drop)}</div>;
}
