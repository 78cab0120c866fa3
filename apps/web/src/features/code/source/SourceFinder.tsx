/** Finds a file or a function of the engine and opens it in the Code tab. Default export: loaded when first opened. */
import { useEffect, useMemo, useRef } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { Combobox } from '../../../base/ui/fields/Combobox.tsx';
import { PageDialog } from '../../../base/ui/layout/PageDialog.tsx';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { closeDialog, useSearchText } from '../../../node/view/interface.ts';
import { codeMessages as texts } from '../messages.en.ts';
import { useCodePoints } from '../use-code-points.ts';
import { type CodeEntry, findSources, shortPath, showSource } from './code-place.ts';
import { enginePaths } from './engine-sources.ts';
import styles from './SourceFinder.module.css';

function Entry({ entry: { name, path, line } }: { readonly entry: CodeEntry }) {
  return (
    <span className={styles.entry}>
      <Icon name={name === undefined ? 'file' : 'chevronRight'} size={13} />
      <span className={styles.name}>{name ?? path.split('/').at(-1)}</span>
      <span className={styles.path}>
        {shortPath(path)}
        {line !== undefined && `:${line}`}
      </span>
    </span>
  );
}

export default function SourceFinder() {
  const t = useT();
  const points = useCodePoints();
  const [query, setQuery] = useSearchText();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const entries = useMemo(
    (): readonly CodeEntry[] => [
      ...enginePaths.map((path) => ({ path, line: undefined, name: undefined })),
      ...points.flatMap(({ upstream, source: { path, line } }) => (upstream ? [{ path, line, name: upstream }] : [])),
    ],
    [points],
  );
  const found = useMemo(() => findSources(entries, query), [entries, query]);
  const open = (entry: CodeEntry | undefined): void => {
    if (!entry) return;
    closeDialog();
    showSource({ path: entry.path, line: entry.line });
  };
  return (
    <PageDialog title={t(texts.find)} icon="search" onClose={closeDialog}>
      <div className={styles.body}>
        <Combobox
          label={t(texts.findLabel)}
          value={query}
          placeholder={t(texts.findLabel)}
          options={found.map((entry) => ({
            id: `${entry.path} ${entry.line ?? ''} ${entry.name ?? ''}`,
            content: <Entry entry={entry} />,
          }))}
          input={input}
          onChange={setQuery}
          onSelect={(index) => open(found[index])}
        />
        {found.length === 0 && <p className={styles.none}>{t(texts.noFile)}</p>}
      </div>
    </PageDialog>
  );
}
