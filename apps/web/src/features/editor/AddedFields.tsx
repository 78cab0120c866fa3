/** Lists the fields that the API server adds. Default export: loaded when first opened. */
import { useMemo, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Twist } from '../../base/ui/marks/Twist.tsx';
import styles from './AddedFields.module.css';
import { addedFields } from './added-fields.ts';
import { editorMessages } from './messages.en.ts';

export default function AddedFields({ text }: { readonly text: string }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const pods = useMemo(() => addedFields(text).filter(({ fields }) => fields.length > 0), [text]);
  const count = pods.reduce((sum, { fields }) => sum + fields.length, 0);
  if (count === 0) return null;
  return (
    <section className={styles.section}>
      <button type="button" className={styles.button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Twist isOpen={isOpen} isSmall />
        {t(editorMessages.adds, { count })}
      </button>
      {isOpen &&
        pods.map(({ name, fields }) => (
          <dl key={name} className={styles.fields} aria-label={t(editorMessages.addsTo, { name })}>
            {fields.map(({ path, value }) => (
              <div key={path} className={styles.field}>
                <dt>
                  <code>{path}</code>
                </dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ))}
          </dl>
        ))}
    </section>
  );
}
