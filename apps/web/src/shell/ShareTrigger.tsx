/** The button of the share menu, before and after the menu has been loaded. */
import { useT } from '../i18n/i18n.ts';
import { Button } from '../ui/Button.tsx';
import { shellMessages } from './messages.en.ts';
import styles from './TopBar.module.css';

export function ShareTrigger({ onPress }: { readonly onPress?: () => void }) {
  const t = useT();
  return (
    <Button kind="quiet" icon="share" {...(onPress && { onPress })}>
      <span className={styles.words}>{t(shellMessages.share)}</span>
    </Button>
  );
}
