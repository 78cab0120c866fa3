/**
 * Highlights parts of the page. An element with the part's name in `data-look` gets an outline (base/theme/base.css).
 */
import type { LookTarget } from '@podscope/lessons';
import { type Column, setColumn } from '../../../node/view/interface.ts';

/** Selector of the elements in a part that can receive the focus. */
const readable = '[role="tabpanel"], [role="listbox"], [role="application"], aside, section';

/** The parts that are in a column, which can be closed. */
const columns: Readonly<Partial<Record<LookTarget, Column>>> = {
  pods: 'pods',
  notes: 'pods',
  inspector: 'inspector',
  why: 'inspector',
};

/** Moves the focus to a part of the page, and opens its column. */
export function goToPlace(target: LookTarget): void {
  const column = columns[target];
  if (!column) return focusPlace(target);
  setColumn(column, true);
  // Wait a frame: a closed column can't have the focus.
  requestAnimationFrame(() => focusPlace(target));
}

function focusPlace(target: LookTarget): void {
  const part = document.querySelector<HTMLElement>(`[data-look~="${target}"]`);
  const place = part?.querySelector<HTMLElement>(readable) ?? part;
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.scrollIntoView({ block: 'nearest' });
  place.focus();
}

/** Highlights these parts, and removes the highlight of all others. */
export function highlight(targets: readonly LookTarget[]): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-looked]')) delete element.dataset['looked'];
  for (const target of targets)
    for (const element of document.querySelectorAll<HTMLElement>(`[data-look~="${target}"]`))
      element.dataset['looked'] = '';
}
