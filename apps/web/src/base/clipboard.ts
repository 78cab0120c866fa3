/**
 * Copies text to the clipboard. It also works for pages that have no clipboard API, for example over plain HTTP in a
 * local network.
 */

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
  // Put the field inside an open modal dialog, because the dialog keeps the focus inside itself.
  (before?.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  // Without a secure context, this is the only way to copy.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('copy');
}
