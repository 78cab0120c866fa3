/** The page as a person finds their way in it: by role and name, in English. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Letters that mean something in a pattern, taken as they are. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export class PodscopePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens an address and waits until the page follows its node. @throws Error with what the page says when it does not within a minute */
  async open(url: string): Promise<void> {
    // Somebody who has been here before: the first hints have been seen. What a test has set itself stays.
    await this.page.addInitScript(() => {
      const key = 'podscope.preferences';
      if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify({ state: { hintsSeen: 1_000 }, version: 1 }));
    });
    // Chromium drops what it is loading when the machine's network changes, and each sandbox that Docker starts or stops is such a change.
    // A slow machine needs more patience, not more beginnings.
    let timeout = 2_500;
    let refusal: string | undefined;
    const live = this.page.getByRole('status', { name: /^Connection.*(?:Live|Recording)/ });
    const failed = this.page.getByRole('alert').filter({ hasText: 'The engine in this page did not start' });
    await expect(async () => {
      timeout *= 2;
      await this.page.goto(url);
      try {
        await expect(live.or(failed).first()).toBeAttached({ timeout });
      } catch (error) {
        const [alert] = await this.page.getByRole('alert').allInnerTexts();
        throw alert === undefined ? error : new Error(`the page is not live: ${alert.replaceAll('\n', ' ')}`, { cause: error });
      }
      const [reason] = await failed.getByRole('paragraph').allInnerTexts();
      // A script that was lost on the way may come the next time; what the link asks for won't.
      if (reason?.includes('could not be loaded')) throw new Error(reason);
      refusal = reason;
    }).toPass({ timeout: 60_000 });
    if (refusal !== undefined) throw new Error(`the engine in the page did not start: ${refusal}`);
  }

  get connection(): Locator {
    return this.page.getByRole('status', { name: /^Connection/ });
  }

  /** A pod in the list on the left. Its name goes on with its status: `crash-loop, CrashLoopBackOff, 0/1 ready, 2 restarts`. */
  pod(name: string): Locator {
    return this.page.getByRole('listbox', { name: 'Pods' }).getByRole('option', { name: new RegExp(`^${literally(name)},`) });
  }

  /** Selects a pod, so that every panel is about it. */
  async select(name: string): Promise<void> {
    await this.pod(name).click();
    await expect(this.page.getByRole('heading', { level: 1, name: new RegExp(`${literally(name)}$`) })).toBeVisible();
  }

  /** Items of the timeline, as a screen reader is told of them: `app, attempt 2, …`, `app, back-off 20s, …`. */
  onTimeline(name: RegExp | string): Locator {
    return this.page.getByRole('listbox', { name: /^Timeline of .*: items in view$/ }).getByRole('option', { name });
  }

  /** Opens a tab below the timeline. @returns its panel */
  async tab(name: 'Steps' | 'Code' | 'Results' | 'Events' | 'Logs' | 'Spec' | 'Compare'): Promise<Locator> {
    await this.page.getByRole('tab', { name }).click();
    return this.page.getByRole('tabpanel', { name });
  }

  /** The panel on the right: all about what is selected, or about where the pod's worker stands still. */
  get inspector(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }

  /** Frames of the worker that stands still, innermost first. */
  get callStack(): Locator {
    return this.inspector.getByRole('list', { name: 'Call stack' }).getByRole('listitem');
  }

  /** Go on, step over, into and out, and where the worker stands. */
  get debuggerBar(): Locator {
    return this.page.getByRole('toolbar', { name: 'Debugger' });
  }

  /** The dot beside a step on the Steps tab; a click sets or takes away its breakpoint. @param step its title, such as `Start containers` */
  breakpoint(step: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Breakpoint before ${literally(step)}`) });
  }

  /** The scrubber: `fill` takes an instant in milliseconds of the epoch. */
  get scrubber(): Locator {
    return this.page.getByRole('slider', { name: 'Instant in view' });
  }

  /** What a scenario is about and what to notice. */
  get notes(): Locator {
    return this.page.getByRole('region', { name: 'About the scenario' });
  }

  /** The lesson that is under way. */
  get lesson(): Locator {
    return this.page.getByRole('complementary', { name: /^Lesson: / });
  }

  /** The editor of new pods. */
  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'New pod' });
  }

  /** Opens the editor and puts a manifest into it. */
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

  /** The palette: types what is looked for and takes the best hit. */
  async find(query: string, name: RegExp): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+K');
    const palette = this.page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill(query);
    await expect(palette.getByRole('option').first()).toHaveAccessibleName(name);
    await palette.getByRole('option').first().click();
    await expect(palette).toBeHidden();
  }

  /**
   * Waits until a pod is in a state, and pauses the time of its run while it is: what is looked at next stays as it is, however slow the
   * machine. When the state was over before the pause took hold, the next time it comes will do.
   */
  async pauseWhile(name: string, state: RegExp): Promise<void> {
    const passes = this.page.getByRole('button', { name: 'Let time pass' });
    await expect(async () => {
      if (await passes.isVisible()) await passes.click();
      await expect(this.pod(name)).toHaveAccessibleName(state);
      await this.page.getByRole('button', { name: 'Pause time' }).click();
      await expect(passes).toBeVisible();
      // What had happened before the pause may still be on its way to the page.
      await expect(this.pod(name)).toHaveAccessibleName(state, { timeout: 2_000 });
    }).toPass();
    await expect(this.pod(name)).toHaveAccessibleName(state);
  }
}
