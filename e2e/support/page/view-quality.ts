/** Checks mechanically whether a view fits its window, and whether the keyboard's focus is visible. */
import type { Page } from '@playwright/test';

/** Returns the texts of problems of the layout: a page wider than its window, and controls that can't be seen whole. */
export const layoutProblems = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const wide = root.scrollWidth > innerWidth ? [`the page is ${root.scrollWidth} px wide`] : [];
    const nameOf = (element: Element): string => {
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return `${element.tagName.toLowerCase()} "${name.trim().slice(0, 40)}"`;
    };
    /** Returns true for an element that only screen readers perceive. */
    const isUnseen = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { width, height } = at.getBoundingClientRect();
        const { clipPath, overflow, opacity } = getComputedStyle(at);
        if (opacity === '0' || clipPath === 'inset(50%)') return true;
        if (overflow === 'hidden' && (width <= 1 || height <= 1)) return true;
      }
      return false;
    };
    /** Returns the share of an element's width that its ancestors and the window don't cut off. */
    const shareSeen = (element: Element): number => {
      const box = element.getBoundingClientRect();
      let [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
      for (let at = element.parentElement; at; at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'visible') continue;
        const edge = at.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      }
      return box.width === 0 ? 1 : Math.max(0, right - left) / box.width;
    };
    // While a dialog is open, the rest of the page is inert.
    const dialogs = document.querySelectorAll('[role=dialog]');
    const scope: ParentNode = dialogs.item(dialogs.length - 1) ?? document;
    const controls = scope.querySelectorAll('button, a[href], input, select, textarea, [tabindex="0"]');
    const cut = [...controls].flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert]')) return [];
      if (isUnseen(control)) return [];
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const share = shareSeen(control);
      return share < 0.95 ? [`${nameOf(control)}: ${Math.round(share * 100)} % of its width are visible`] : [];
    });
    return [...wide, ...cut];
  });

/** Returns the animations that run although the user asked for reduced motion. */
export const runningAnimations = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 50)
      .map((animation) => {
        const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
        return `${target?.tagName.toLowerCase()} ${target?.getAttribute('class')}`;
      }),
  );

/**
 * Presses Tab until the focus returns to its first place, at most `limit` times.
 * @returns the elements whose focus can't be seen, and the number of elements that had the focus
 */
export async function focusProblems(page: Page, limit: number): Promise<{ unseen: string[]; visited: number }> {
  const unseen: string[] = [];
  let visited = 0;
  for (; visited < limit; visited++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const active = document.activeElement;
      if (!active || active === document.body) return 'left';
      const isSeen = (element: Element | null): boolean => {
        if (!element) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
      };
      // A list shows its focus at its active item, and a hidden input at its label.
      const item = document.getElementById(active.getAttribute('aria-activedescendant') ?? '');
      const places = [active, active.parentElement, active.closest('label'), item];
      const inside = active.querySelectorAll('[aria-selected=true], canvas');
      // A canvas draws its own focus.
      const isVisible =
        places.some(isSeen) || [active, ...inside].some((part) => isSeen(part) || part.matches('canvas'));
      const isFirst = active.hasAttribute('data-first-focus');
      if (!document.querySelector('[data-first-focus]')) active.setAttribute('data-first-focus', '');
      if (isFirst) return 'again';
      const { tagName, textContent } = active;
      const name = active.getAttribute('aria-label') ?? textContent?.trim().slice(0, 40);
      return isVisible ? 'seen' : `${tagName.toLowerCase()} ${active.getAttribute('role') ?? ''} "${name}"`;
    });
    if (found === 'again') break;
    if (found !== 'seen' && found !== 'left') unseen.push(found);
  }
  return { unseen, visited };
}
