/** Renders an object as a collapsible tree. The members of long lists are shown page by page. */
import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { cx } from '../marks/cx.ts';
import { Twist } from '../marks/Twist.tsx';
import { uiMessages } from '../messages.en.ts';
import styles from './ValueTree.module.css';
import { entriesOf, isContainer, longestText, previewOf, scalarText } from './value-text.ts';

const pageSize = 50;

function Scalar({ value }: { readonly value: unknown }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const text = scalarText(value);
  const kind = typeof value === 'string' ? styles.text : typeof value === 'number' ? styles.number : styles.literal;
  if (text.length <= longestText) return <span className={cx(styles.scalar, kind)}>{text}</span>;
  return (
    <span className={cx(styles.scalar, kind)}>
      {isOpen ? text : `${text.slice(0, longestText)}…`}
      <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t(uiMessages.less) : t(uiMessages.allCharacters, { count: text.length })}
      </button>
    </span>
  );
}

function Member({
  name,
  value,
  depth,
  openTo,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
  readonly openTo: number;
}) {
  const [isOpen, setOpen] = useState(depth < openTo);
  const indent = { paddingLeft: `${0.25 + depth * 0.875}rem` };
  if (!isContainer(value) || entriesOf(value).length === 0) {
    return (
      <li className={styles.row} style={indent}>
        <Twist />
        <span className={styles.name}>{name}</span>
        {isContainer(value) ? <span className={styles.preview}>{previewOf(value)}</span> : <Scalar value={value} />}
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        className={cx(styles.row, styles.fold)}
        style={indent}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Twist isOpen={isOpen} />
        <span className={styles.name}>{name}</span>
        <span className={styles.preview}>{previewOf(value)}</span>
      </button>
      {isOpen && <Members value={value} depth={depth + 1} openTo={openTo} />}
    </li>
  );
}

function Members({
  value,
  depth,
  openTo,
}: {
  readonly value: object;
  readonly depth: number;
  readonly openTo: number;
}) {
  const t = useT();
  const [limit, setLimit] = useState(pageSize);
  const entries = entriesOf(value);
  return (
    <ul>
      {entries.slice(0, limit).map(([key, entry]) => (
        <Member key={key} name={key} value={entry} depth={depth} openTo={openTo} />
      ))}
      {entries.length > limit && (
        <li style={{ paddingLeft: `${1.25 + depth * 0.875}rem` }}>
          <button type="button" className={styles.more} onClick={() => setLimit(limit + pageSize)}>
            {t(uiMessages.moreOf, { count: Math.min(pageSize, entries.length - limit), total: entries.length })}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Renders the tree. @param openTo number of levels that are open at first */
export function ValueTree({ value, openTo = 1 }: { readonly value: object; readonly openTo?: number }) {
  return (
    <div className={styles.tree}>
      <Members value={value} depth={0} openTo={openTo} />
    </div>
  );
}
