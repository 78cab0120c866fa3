/**
 * Renders a field that edits a map as YAML. While the text isn't a map, the field shows the text but reports no change.
 */
import { isRecord } from '@podscope/base';
import { useState } from 'react';
import { parse, stringify } from 'yaml';
import styles from '../LessonEditor.module.css';

type Members = Readonly<Record<string, unknown>>;

interface MembersFieldProps {
  readonly label: string;
  readonly members: Members | undefined;
  /** Receives the map, or undefined for an empty text. */
  readonly onChange: (members: Members | undefined) => void;
}

/** Returns the map that a text contains; undefined if the text isn't a map. */
function membersIn(text: string): Members | undefined {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 });
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function MembersField({ label, members, onChange }: MembersFieldProps) {
  const [text, setText] = useState(() =>
    members && Object.keys(members).length > 0 ? stringify(members, { collectionStyle: 'block' }) : '',
  );
  const isEmpty = text.trim() === '';
  const change = (given: string): void => {
    setText(given);
    const read = membersIn(given);
    if (read || given.trim() === '') onChange(read);
  };
  return (
    <label className={styles.label}>
      {label}
      <textarea
        className={styles.code}
        rows={Math.max(3, text.split('\n').length)}
        spellCheck={false}
        aria-invalid={!isEmpty && membersIn(text) === undefined}
        value={text}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}
