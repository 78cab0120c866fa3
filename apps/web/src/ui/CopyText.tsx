/** A line to copy, with the button that copies it. */
import { useState } from 'react';
import { IconButton } from './Button.tsx';
import styles from './CopyText.module.css';

/** A button that copies `text` and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return <IconButton icon={copied ? 'check' : 'copy'} label={copied ? 'Copied' : label} onPress={() => void copy()} />;
}

export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className={styles.line}>
      <code className={styles.text}>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
