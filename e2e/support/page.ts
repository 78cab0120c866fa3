/** The page as a person finds their way in it: by role and name. */
import { expect, type Locator, type Page } from '@playwright/test';

export class PodscopePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the printed link and waits until the page follows the node. */
  async open(url: string): Promise<void> {
    // Somebody who has been here before: the first hints have been seen. What a test has set itself stays.
    await this.page.addInitScript(() => {
      const key = 'podscope.preferences';
      if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify({ state: { hintsSeen: 1_000 }, version: 1 }));
    });
    // Chromium drops what it is loading when the machine's network changes, and each sandbox that Docker starts or stops is such a change.
    // A slow machine needs more patience, not more beginnings.
    let timeout = 2_500;
    await expect(async () => {
      timeout *= 2;
      await this.page.goto(url);
      await expect(this.connection).toHaveAccessibleName(/Live/, { timeout });
    }).toPass();
  }

  get connection(): Locator {
    return this.page.getByRole('status', { name: /^Connection/ });
  }

  pod(name: string): Locator {
    return this.page.getByRole('listbox', { name: 'Pods' }).getByRole('option', { name: new RegExp(`^${name},`) });
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

  /** The palette: types what is looked for and takes the best hit. */
  async find(query: string, name: RegExp): Promise<void> {
    await this.page.keyboard.press('Control+K');
    const palette = this.page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill(query);
    await expect(palette.getByRole('option').first()).toHaveAccessibleName(name);
    await palette.getByRole('option').first().click();
    await expect(palette).toBeHidden();
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'New pod' });
  }

  /** Opens the editor and puts a manifest into it. */
  async write(manifest: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New pod' }).first().click();
    const editor = this.dialog.locator('.cm-content');
    await editor.click();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(manifest);
  }

  /** Submits a manifest and waits until its pod is in the list. */
  async submit(name: string, manifest: string): Promise<void> {
    await this.write(manifest);
    await this.dialog.getByRole('button', { name: /^Apply/ }).click();
    await expect(this.pod(name)).toBeVisible();
    await this.pod(name).click();
    await expect(this.page.getByRole('heading', { level: 1, name: new RegExp(`${name}$`) })).toBeVisible();
  }

  /** An item of the timeline, as a screen reader is told of it. */
  onTimeline(name: RegExp): Locator {
    return this.page.getByRole('listbox', { name: /^Timeline of .*: items in view$/ }).getByRole('option', { name });
  }

  async tab(name: 'Steps' | 'Code' | 'Results' | 'Events' | 'Logs' | 'Spec' | 'Compare'): Promise<Locator> {
    await this.page.getByRole('tab', { name }).click();
    return this.page.getByRole('tabpanel', { name });
  }
}

/** A pod of one busybox container that runs `script`. */
export const podManifest = (name: string, script: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { terminationGracePeriodSeconds: 2, containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', script] }] },
  });
