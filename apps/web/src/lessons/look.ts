/** Points at parts of the page: those whose `data-look` names them get an outline (styles/base.css). */
import type { LookTarget } from '@podscope/lessons';

/** Points at these, and at nothing else any more. */
export function highlight(targets: readonly LookTarget[]): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-looked]')) delete element.dataset['looked'];
  for (const target of targets) for (const element of document.querySelectorAll<HTMLElement>(`[data-look~="${target}"]`)) element.dataset['looked'] = '';
}
