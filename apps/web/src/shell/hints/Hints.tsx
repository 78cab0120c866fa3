/**
 * Shows the first-run hints one after the other below the pod list. Default export: not loaded after the user has seen
 * all hints.
 */
import { useT } from '../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../base/preferences/preferences.ts';
import { Button, IconButton } from '../../base/ui/fields/Button.tsx';
import { isRecording } from '../../node/run/refusal.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { shownChord } from '../commands/key-chord.ts';
import styles from './Hints.module.css';
import { hintCount } from './hint-count.ts';
import { hintMessages as texts } from './messages.en.ts';

const stopStep = { title: texts.stopTitle, text: texts.stop };
/** For a genuine kubelet, which stops only at CRI calls. */
const stopCall = { title: texts.stopCallTitle, text: texts.stopCall };
/** For a recording, in which nothing stops. */
const findStop = { title: texts.findStopTitle, text: texts.findStop };
const others = [
  { title: texts.travelTitle, text: texts.travel },
  { title: texts.whyTitle, text: texts.why },
  { title: texts.findTitle, text: texts.find },
] as const;

export default function Hints() {
  const t = useT();
  const seen = usePreferences(({ hintsSeen }) => hintsSeen);
  const node = useNodeInfo();
  // A read-only server refuses breakpoints, so it has no first hint.
  const first = isRecording(node) ? findStop : node?.readOnly ? undefined : node?.observed ? stopCall : stopStep;
  const all = [first, ...others] as const satisfies { length: typeof hintCount };
  const hints = all.filter((hint) => hint !== undefined);
  const at = Math.max(0, seen - all.length + hints.length);
  const hint = hints[at];
  if (!hint) return null;
  const left = hints.length - at - 1;
  return (
    <aside className={styles.hint} aria-label={t(texts.label)}>
      <header className={styles.head}>
        <span
          className={styles.dots}
          role="img"
          aria-label={t(texts.position, { number: at + 1, count: hints.length })}
        >
          {hints.map(({ title }, index) => (
            <span key={title.id} className={index === at ? styles.here : styles.dot} />
          ))}
        </span>
        <IconButton icon="close" label={t(texts.hide)} onPress={() => setPreference({ hintsSeen: hintCount })} />
      </header>
      <h3 className={styles.title}>{t(hint.title)}</h3>
      <p className={styles.text}>{t(hint.text, { key: shownChord('Mod+k').join('+') })}</p>
      <Button onPress={() => setPreference({ hintsSeen: hintCount - left })}>
        {t(left === 0 ? texts.done : texts.next)}
      </Button>
    </aside>
  );
}
