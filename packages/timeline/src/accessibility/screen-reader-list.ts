/**
 * Describes the canvas to screen readers: a list of at most {@link listLimit} visible items, and a line with the
 * selected item.
 */

import type { TimelineWords } from '../words/words.ts';

export interface ListEntry {
  readonly id: string;
  readonly text: string;
  readonly isSelected: boolean;
}

/** Maximum number of entries in the list. */
export const listLimit = 40;

const hidden =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;';

let lastListNumber = 0;

export class ScreenReaderList {
  readonly #list: HTMLUListElement;
  readonly #status: HTMLElement;
  readonly #focus: HTMLElement;
  readonly #prefix = `timeline-${++lastListNumber}`;
  #shown = '';

  /**
   * @param focus the element that has the keyboard focus
   * @param select called when the user presses an entry
   */
  constructor(
    parent: HTMLElement,
    focus: HTMLElement,
    label: string,
    words: TimelineWords,
    select: (id: string) => void,
  ) {
    this.#focus = focus;
    const help = document.createElement('div');
    help.id = `${this.#prefix}-help`;
    help.textContent = words.help;
    this.#list = document.createElement('ul');
    this.#list.id = `${this.#prefix}-items`;
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', words.itemsInView(label));
    this.#list.addEventListener('click', (event) => {
      const id = event.target instanceof HTMLElement ? event.target.dataset['id'] : undefined;
      if (id) select(id);
    });
    this.#status = document.createElement('div');
    this.#status.setAttribute('aria-live', 'polite');
    this.#status.setAttribute('role', 'status');
    const box = document.createElement('div');
    box.style.cssText = hidden;
    box.append(help, this.#list, this.#status);
    parent.append(box);
    focus.setAttribute('aria-describedby', help.id);
    focus.setAttribute('aria-owns', this.#list.id);
  }

  /** Shows the first {@link listLimit} of these entries. */
  show(entries: readonly ListEntry[]): void {
    const shown = JSON.stringify(entries);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const options = entries.slice(0, listLimit).map(({ id, text, isSelected }, at) => {
      const option = document.createElement('li');
      option.id = `${this.#prefix}-${at}`;
      option.dataset['id'] = id;
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', String(isSelected));
      option.textContent = text;
      if (isSelected) this.#focus.setAttribute('aria-activedescendant', option.id);
      return option;
    });
    if (!entries.some(({ isSelected }) => isSelected)) this.#focus.removeAttribute('aria-activedescendant');
    this.#list.hidden = options.length === 0;
    this.#list.replaceChildren(...options);
  }

  /** Announces a sentence through the live region. */
  announce(text: string): void {
    this.#status.textContent = text;
  }
}
