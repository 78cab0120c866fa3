/**
 * Renders the command palette, which finds commands, pods, syncs and scenarios. Default export: loaded when first
 * opened.
 */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo } from 'react';
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useLanguage, useT } from '../../base/i18n/i18n.ts';
import { Icon, type IconName } from '../../base/ui/marks/Icon.tsx';
import { Keys } from '../../base/ui/marks/Keys.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { closeDialog, useSearchText } from '../../node/view/interface.ts';
import styles from './CommandPalette.module.css';
import { paletteMessages } from './messages.en.ts';
import { findEntries, type PaletteHit, type PaletteKind, paletteEntries } from './palette-entries.ts';

const icons: Readonly<Record<PaletteKind, IconName>> = {
  commands: 'chevronRight',
  pods: 'breakpoint',
  syncs: 'restart',
  scenarios: 'play',
};

/** The input keeps the focus and controls the list; react-aria names the active option. */
const combobox = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const;

/** Renders the title with the matched letters highlighted. */
function Title({ hit: { entry, at } }: { readonly hit: PaletteHit }) {
  if (at.length === 0) return <span className={styles.title}>{entry.title}</span>;
  const found = new Set(at);
  const runs: { readonly from: number; text: string; readonly isFound: boolean }[] = [];
  for (const [index, letter] of Array.from({ length: entry.title.length }, (_, position) =>
    entry.title.charAt(position),
  ).entries()) {
    const isFound = found.has(index);
    const last = runs.at(-1);
    if (last?.isFound === isFound) last.text += letter;
    else runs.push({ from: index, text: letter, isFound });
  }
  return (
    <span className={styles.title}>
      {runs.map(({ from, text, isFound }) => (isFound ? <mark key={from}>{text}</mark> : text))}
    </span>
  );
}

function Item({ hit }: { readonly hit: PaletteHit }) {
  const { id, kind, title, detail, keys, tone, refusal } = hit.entry;
  return (
    <ListBoxItem id={id} textValue={title} className={styles.item} isDisabled={refusal !== undefined}>
      {tone ? <StateMark tone={tone} size={12} /> : <Icon name={icons[kind]} size={13} />}
      <Title hit={hit} />
      <span className={styles.detail}>{detail}</span>
      <Keys keys={keys} />
    </ListBoxItem>
  );
}

/**
 * Closes the palette on Escape, which would otherwise only clear the search field. During composition, Escape belongs
 * to the input method.
 */
function closeOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
  event.stopPropagation();
  closeDialog();
}

export default function CommandPalette() {
  const session = useSession();
  const uid = useSelectedUid();
  const t = useT();
  const language = useLanguage();
  const [query, setQuery] = useSearchText();
  const scenarios = useQuery({
    queryKey: ['scenarios'],
    queryFn: async () => (await import('@podscope/scenarios')).scenarios,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const entries = useMemo(
    () => paletteEntries({ session, uid }, scenarios ?? [], language),
    [session, uid, scenarios, language],
  );
  const sections = useMemo(() => findEntries(entries, query), [entries, query]);
  const podName = session.run.pod(uid)?.name ?? '';
  const run = (id: string): void => {
    closeDialog();
    entries.find((entry) => entry.id === id)?.run();
  };
  return (
    <ModalOverlay className={styles.veil} isOpen onOpenChange={(open) => !open && closeDialog()} isDismissable>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog} aria-label={t(paletteMessages.title)}>
          <Autocomplete inputValue={query} onInputChange={setQuery}>
            {/* A dialog focuses itself first, so the input requests the focus. */}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
            <SearchField aria-label={t(paletteMessages.label)} autoFocus className={styles.search}>
              <Icon name="search" />
              <Input
                {...combobox}
                onKeyDownCapture={closeOnEscape}
                className={styles.input}
                placeholder={t(paletteMessages.label)}
                spellCheck={false}
                autoComplete="off"
              />
            </SearchField>
            <ListBox
              aria-label={t(paletteMessages.results)}
              className={styles.list}
              items={sections}
              onAction={(key) => run(String(key))}
              renderEmptyState={() => <p className={styles.none}>{t(paletteMessages.nothing)}</p>}
            >
              {({ kind, hits }) => (
                <ListBoxSection id={kind} className={styles.section}>
                  <Header className={styles.heading}>{t(paletteMessages[kind], { pod: podName })}</Header>
                  <Collection items={hits.map((hit) => ({ id: hit.entry.id, hit }))}>
                    {({ hit }) => <Item hit={hit} />}
                  </Collection>
                </ListBoxSection>
              )}
            </ListBox>
          </Autocomplete>
          <p className={styles.foot}>{t(paletteMessages.hint)}</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
