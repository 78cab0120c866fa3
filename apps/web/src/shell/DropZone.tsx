/** A manifest dropped anywhere on the page opens in the editor. */
import { useEffect, useState } from 'react';
import { readManifest } from '../editor/draft.ts';
import { notify, openEditor, useInterface } from '../state/interface.ts';
import styles from './DropZone.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

async function openDropped(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    openEditor(await readManifest(file), file.name);
  } catch (error) {
    notify('error', (error as Error).message);
  }
}

export function DropZone() {
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
        void openDropped(event.dataTransfer?.files[0]);
      },
      { signal },
    );
    return () => stop.abort();
  }, [isEditing]);
  if (!isOver) return null;
  return <div className={styles.zone}>Drop a manifest to open it in the editor</div>;
}
