/**
 * Asks for the new token of a restarted server. It is part of the first chunk, because the server rejects requests for
 * further files without the token.
 */
import { type FormEvent, useEffect, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { goTo, pageAddress } from '../../node/address/address.ts';
import { connectionMessages as texts } from '../../node/connection/messages.en.ts';
import { useSession } from '../../node/run/node-session.ts';
import styles from './ConnectionBanner.module.css';

export function TokenBanner() {
  const { connection } = useSession();
  const t = useT();
  const [token, setToken] = useState('');
  // The user may have opened the new address in another tab. The cookie of that tab is also valid here, so connect
  // again.
  useEffect(() => {
    const retry = (): void => connection.connect();
    addEventListener('focus', retry);
    return () => removeEventListener('focus', retry);
  }, [connection]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() === '') return;
    // The server exchanges the token for a cookie and opens the same view again.
    const address = pageAddress();
    address.searchParams.set('token', token.trim());
    goTo(address.href);
  };
  return (
    <form className={styles.warning} role="alert" onSubmit={submit}>
      <Icon name="warning" />
      <span>
        <strong>{t(texts.newToken)}</strong> {t(texts.openAgain)}
      </span>
      <input
        className={styles.token}
        aria-label={t(texts.token)}
        placeholder={t(texts.token)}
        autoComplete="off"
        spellCheck={false}
        value={token}
        onChange={({ target }) => setToken(target.value)}
      />
      <Button type="submit">{t(texts.reconnect)}</Button>
    </form>
  );
}
