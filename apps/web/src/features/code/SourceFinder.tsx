/** Finds a file or a function of the engine and opens it in the Code tab. Default export: loaded when first opened. */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { closeDialog, useSearchText } from '../../node/view/interface.ts';
import { type CodeEntry, findSources, shortPath, showSource } from './code-place.ts';
import { enginePaths } from './engine-sources.ts';
import { codeMessages as texts } from './messages.en.ts';
import styles from './SourceFinder.module.css';
import { useCodePoints } from './use-code-points.ts';

export default function SourceFinder() {
  const t = useT();
  const points = useCodePoints();
  const [query, setQuery] = useSearchText();
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  useEffect(() => input.current?.focus(), []);
  const entries = useMemo(
    (): readonly CodeEntry[] => [
      ...enginePaths.map((path) => ({ path, line: undefined, name: undefined })),
      ...points.flatMap(({ upstream, source: { path, line } }) => (upstream ? [{ path, line, name: upstream }] : [])),
    ],
    [points],
  );
  const found = useMemo(() => findSources(entries, query), [entries, query]);
  const chosen = Math.min(active, found.length - 1);
  const open = (entry: CodeEntry | undefined): void => {
    if (!entry) return;
    closeDialog();
    showSource({ path: entry.path, line: entry.line });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setActive((chosen + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setActive((chosen + found.length - 1) % Math.max(1, found.length));
    else if (event.key === 'Enter') open(found[chosen]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    // The braces are necessary: an effect must not return the promise of scrollIntoView.
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, chosen]);
  return (
    <PageDialog title={t(texts.find)} icon="search" onClose={closeDialog}>
      <div className={styles.body}>
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-label={t(texts.findLabel)}
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${chosen}` : undefined}
          placeholder={t(texts.findLabel)}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id={list} className={styles.list} role="listbox" aria-label={t(texts.findLabel)}>
          {found.map((entry, index) => (
            // The input handles the keys of its list.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={`${entry.path} ${entry.line ?? ''} ${entry.name ?? ''}`}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={cx(styles.entry, index === chosen && styles.chosen)}
              onClick={() => open(entry)}
            >
              <Icon name={entry.name === undefined ? 'file' : 'chevronRight'} size={13} />
              <span className={styles.name}>{entry.name ?? entry.path.split('/').at(-1)}</span>
              <span className={styles.path}>
                {shortPath(entry.path)}
                {entry.line !== undefined && `:${entry.line}`}
              </span>
            </div>
          ))}
        </div>
        {found.length === 0 && <p className={styles.none}>{t(texts.noFile)}</p>}
      </div>
    </PageDialog>
  );
}
