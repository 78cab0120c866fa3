/** Shows a name in one line and cuts it in the middle, because names of pods differ at the end. */
import styles from './MiddleText.module.css';

/** The end that stays visible: the two generated parts of a Deployment's pod (`-6d8f7b9c45-x2k4f`) are 17 letters. */
const tailLength = 11;

export function MiddleText({ children }: { readonly children: string }) {
  // A short name has no tail, so that it doesn't break apart.
  const at = children.length > tailLength * 2 ? children.length - tailLength : children.length;
  return (
    <span className={styles.text} title={children}>
      <span className={styles.head}>{children.slice(0, at)}</span>
      {at < children.length && <span className={styles.tail}>{children.slice(at)}</span>}
    </span>
  );
}
