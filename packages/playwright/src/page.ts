/** Locates the elements of the page by role and English name, as a user finds them. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Escapes the special characters of a regular expression. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export class PodscopePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /**
   * Opens an address and waits until the page follows its node.
   * @throws Error with the page's message if it doesn't connect within four minutes
   */
  async open(url: string): Promise<void> {
    // Hints for first-time users are hidden, unless the test has set its own preferences.
    await this.page.addInitScript(() => {
      const key = 'podscope.preferences';
      if (localStorage.getItem(key) === null)
        localStorage.setItem(key, JSON.stringify({ state: { hintsSeen: 1_000 }, version: 1 }));
    });
    // Chromium aborts loading when the machine's network changes, which happens whenever Docker starts or stops a
    // sandbox. Each attempt waits longer, because more attempts don't help a slow machine.
    let timeout = 5_000;
    let refusal: string | undefined;
    const live = this.page.getByRole('status', { name: /^Connection.*(?:Live|Recording)/ });
    const failed = this.page.getByRole('alert').filter({ hasText: 'The engine in this page failed to start' });
    await expect(async () => {
      timeout *= 2;
      await this.page.goto(url);
      try {
        await expect(live.or(failed).first()).toBeAttached({ timeout });
      } catch (error) {
        const [alert] = await this.page.getByRole('alert').allInnerTexts();
        throw alert === undefined
          ? error
          : new Error(`the page is not live: ${alert.replaceAll('\n', ' ')}`, { cause: error });
      }
      const [reason] = await failed.getByRole('paragraph').allInnerTexts();
      // A lost script may load at the next attempt. An error in the link's parameters is final.
      if (reason?.includes('could not be loaded')) throw new Error(reason);
      refusal = reason;
    }).toPass({ timeout: 240_000 });
    if (refusal !== undefined) throw new Error(`the engine in the page did not start: ${refusal}`);
  }

  get connection(): Locator {
    return this.page.getByRole('status', { name: /^Connection/ });
  }

  /**
   * Returns a pod in the list on the left. Its name is followed by its status: `crash-loop, CrashLoopBackOff, 0/1
   * ready, 2 restarts`. It is found even while the list is collapsed.
   */
  pod(name: string): Locator {
    return this.page
      .getByRole('listbox', { name: 'Pods', includeHidden: true })
      .getByRole('option', { name: new RegExp(`^${literally(name)},`), includeHidden: true });
  }

  /** Selects a pod, so that every panel shows it. */
  async select(name: string): Promise<void> {
    await this.pod(name).click();
    await expect(this.page.getByRole('heading', { level: 1, name: new RegExp(`${literally(name)}$`) })).toBeVisible();
  }

  /** Returns items of the timeline by their accessible names: `app, attempt 2, …`, `app, back-off 20s, …`. */
  onTimeline(name: RegExp | string): Locator {
    return this.page.getByRole('listbox', { name: /^Timeline of .*: items in view$/ }).getByRole('option', { name });
  }

  /** Opens a tab below the timeline. @returns its panel */
  async tab(name: 'Steps' | 'Code' | 'Results' | 'Events' | 'Logs' | 'Spec' | 'Metrics' | 'Compare'): Promise<Locator> {
    await this.page.getByRole('tab', { name }).click();
    return this.page.getByRole('tabpanel', { name });
  }

  /** The panel on the right, with the details of the selection, or of the point where the pod's worker is stopped. */
  get inspector(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }

  /** The frames of the stopped worker, innermost first. */
  get callStack(): Locator {
    return this.inspector.getByRole('list', { name: 'Call stack' }).getByRole('listitem');
  }

  /** The toolbar with Continue, Step over, Step into, Step out, and the point where the worker is stopped. */
  get debuggerBar(): Locator {
    return this.page.getByRole('toolbar', { name: 'Debugger' });
  }

  /**
   * Returns the dot next to a step on the Steps tab, which toggles its breakpoint when clicked.
   * @param step its title, such as `Start containers`
   */
  breakpoint(step: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Breakpoint before ${literally(step)}`) });
  }

  /** The time slider. `fill` takes a time in milliseconds since the epoch. */
  get scrubber(): Locator {
    return this.page.getByRole('slider', { name: 'Position in time' });
  }

  /** The description of a scenario, with hints about points to notice. */
  get notes(): Locator {
    return this.page.getByRole('region', { name: 'About the scenario' });
  }

  /** The current lesson. */
  get lesson(): Locator {
    return this.page.getByRole('complementary', { name: /^Lesson: / });
  }

  /** The editor for new pods. */
  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'New pod' });
  }

  /** Opens the editor and enters a manifest. */
  async write(manifest: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New pod' }).first().click();
    const editor = this.dialog.locator('.cm-content');
    await editor.click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(manifest);
  }

  /** Submits a manifest and waits until its pod is in the list. */
  async submit(name: string, manifest: string): Promise<void> {
    await this.write(manifest);
    await this.dialog.getByRole('button', { name: /^Apply/ }).click();
    await expect(this.pod(name)).toBeVisible();
    await this.select(name);
  }

  /** Searches in the command palette and selects the best match. */
  async find(query: string, name: RegExp): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+K');
    const palette = this.page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill(query);
    await expect(palette.getByRole('option').first()).toHaveAccessibleName(name);
    await palette.getByRole('option').first().click();
    await expect(palette).toBeHidden();
  }

  /**
   * Waits until a pod is in a state, and then pauses time, so that the following checks see the same state on a slow
   * machine. If the state ended before the pause took effect, waits for its next occurrence.
   */
  async pauseWhile(name: string, state: RegExp): Promise<void> {
    const passes = this.page.getByRole('button', { name: 'Resume time' });
    await expect(async () => {
      if (await passes.isVisible()) await passes.click();
      await expect(this.pod(name)).toHaveAccessibleName(state);
      await this.page.getByRole('button', { name: 'Pause time' }).click();
      await expect(passes).toBeVisible();
      // Events from before the pause may still be on their way to the page.
      await expect(this.pod(name)).toHaveAccessibleName(state, { timeout: 2_000 });
    }).toPass();
    await expect(this.pod(name)).toHaveAccessibleName(state);
  }
}
