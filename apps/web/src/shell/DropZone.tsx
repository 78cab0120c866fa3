/** A file dropped anywhere on the page is opened: a manifest in the editor, a recorded run in place of the node. */
import { useEffect, useState } from 'react';
import { openFile } from '../files/open-file.ts';
import { useT } from '../i18n/i18n.ts';
import { useInterface } from '../state/interface.ts';
import styles from './DropZone.module.css';
import { shellMessages } from './messages.en.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

export function DropZone() {
  const t = useT();
  const isEditing = useInterface(({ editor }) => editor !== undefined);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // The editor takes what is dropped on itself.
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
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        void openFile(event.dataTransfer?.files[0]);
      },
      { signal },
    );
    return () => stop.abort();
  }, [isEditing]);
  if (!isOver) return null;
  return <div className={styles.zone}>{t(shellMessages.drop)}</div>;
}
