/** The picture for those who do not see it: a bounded list of what is in view, and a line that says what is selected. */

import type { TimelineWords } from '../words.ts';

export interface TwinEntry {
  readonly id: string;
  readonly text: string;
  readonly isSelected: boolean;
}

/** Most entries in the list. */
export const twinLimit = 40;

const hidden = 'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;';

let lastTwin = 0;

export class Twin {
  readonly #list: HTMLUListElement;
  readonly #says: HTMLElement;
  readonly #focus: HTMLElement;
  readonly #prefix = `timeline-${++lastTwin}`;
  #shown = '';

  /** `focus` is the element that takes the keyboard; `select` is called when an entry is pressed. */
  constructor(parent: HTMLElement, focus: HTMLElement, label: string, words: TimelineWords, select: (id: string) => void) {
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
    this.#says = document.createElement('div');
    this.#says.setAttribute('aria-live', 'polite');
    this.#says.setAttribute('role', 'status');
    const box = document.createElement('div');
    box.style.cssText = hidden;
    box.append(help, this.#list, this.#says);
    parent.append(box);
    focus.setAttribute('aria-describedby', help.id);
    focus.setAttribute('aria-owns', this.#list.id);
  }

  /** Shows these entries, at most {@link twinLimit}. */
  show(entries: readonly TwinEntry[]): void {
    const shown = JSON.stringify(entries);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const options = entries.slice(0, twinLimit).map(({ id, text, isSelected }, at) => {
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

  /** Says a sentence. */
  say(text: string): void {
    this.#says.textContent = text;
  }
}
