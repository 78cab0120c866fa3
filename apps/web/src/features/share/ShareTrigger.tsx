/** Renders the button of the share menu. It is also used while the menu is loading. */
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { shareMessages } from './messages.en.ts';
import styles from './ShareTrigger.module.css';

export function ShareTrigger({ onPress }: { readonly onPress?: () => void }) {
  const t = useT();
  return (
    <Button kind="quiet" icon="share" aria-label={t(shareMessages.share)} {...(onPress && { onPress })}>
      <span className={styles.words}>{t(shareMessages.share)}</span>
    </Button>
  );
}
