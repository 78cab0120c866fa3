/** Points at parts of the page: those whose `data-look` names them get an outline (styles/base.css). */
import type { LookTarget } from '@podscope/lessons';

/** What in a part of the page can be read: there the focus goes. */
const readable = '[role="tabpanel"], [role="listbox"], [role="application"], aside, section';

/** Takes the focus to a part of the page. */
export function goToPlace(target: LookTarget): void {
  const part = document.querySelector<HTMLElement>(`[data-look~="${target}"]`);
  const place = part?.querySelector<HTMLElement>(readable) ?? part;
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.scrollIntoView({ block: 'nearest' });
  place.focus();
}

/** Points at these, and at nothing else any more. */
export function highlight(targets: readonly LookTarget[]): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-looked]')) delete element.dataset['looked'];
  for (const target of targets) for (const element of document.querySelectorAll<HTMLElement>(`[data-look~="${target}"]`)) element.dataset['looked'] = '';
}
