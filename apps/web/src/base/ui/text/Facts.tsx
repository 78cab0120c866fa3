/** Renders names and values in two columns. */
import type { ReactNode } from 'react';
import styles from './Facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

/** Facts without a value are omitted. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
