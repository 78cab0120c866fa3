/** Copies text, also where pages have no clipboard API: over plain HTTP in a local network. */

/**
 * Copies text.
 * @throws Error if the browser refuses
 */
export async function copyText(text: string): Promise<void> {
  // Pages over plain HTTP have no clipboard API.
  if ('clipboard' in navigator) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  const before = document.activeElement;
  // A modal dialog keeps the focus inside itself, so the field is put there.
  (before?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  // The only way to copy without a secure context.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('copy');
}
