/** A field of the pod and what it says; leads to it in the spec. */
import { useT } from '../../i18n/i18n.ts';
import { showField } from '../../spec/spec-target.ts';
import styles from './FieldLink.module.css';
import { whyMessages } from './messages.en.ts';

/** The last two members of a path say enough in a narrow panel; the whole is its title. */
const shortPath = (path: string): string => {
  const parts = path.split('.');
  return parts.length > 2 ? `…${parts.slice(-2).join('.')}` : path;
};

const longestValue = 80;

export function FieldLink({ path, value, name }: { readonly path: string; readonly value: string; readonly name?: string }) {
  const t = useT();
  return (
    <button
      type="button"
      className={styles.link}
      // A title describes where there is a name: what is seen is also what is said.
      title={`${t(whyMessages.showField, { path })}: ${value}`}
      onClick={() => showField(path)}
    >
      <span className={styles.path}>{name ?? shortPath(path)}</span>
      <code className={styles.value}>{value.length > longestValue ? `${value.slice(0, longestValue - 1)}…` : value}</code>
    </button>
  );
}
