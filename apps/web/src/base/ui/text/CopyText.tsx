/** Renders text with a copy button. */
import { useState } from 'react';
import { copyText } from '../../clipboard.ts';
import { useT } from '../../i18n/i18n.ts';
import { IconButton } from '../fields/Button.tsx';
import { uiMessages } from '../messages.en.ts';
import styles from './CopyText.module.css';

/** Copies `text` and confirms it. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const t = useT();
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={copied ? t(uiMessages.copied) : label}
      onPress={() => void copy()}
    />
  );
}

export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className={styles.line}>
      <code className={styles.text}>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
