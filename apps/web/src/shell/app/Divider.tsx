/** Renders the divider between two panels. Users drag it or use the arrow keys. */
import { Separator } from 'react-resizable-panels';
import styles from './Divider.module.css';

export function Divider({ label }: { readonly label: string }) {
  return <Separator className={styles.divider} aria-label={label} />;
}
