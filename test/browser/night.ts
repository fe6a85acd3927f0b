import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import type { ScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

/** What tests of a night share: an operator opens Now, sees the cause at one look, and has the remedy at one press. */

export const ORDER = { model_id: 'scripted', prompt: 'a fox' };

/** Starts a service with one live model at an engine whose answers the test decides. */
export async function startNight(
  t: Parameters<typeof startTestService>[0],
  engine: ScriptedEngine,
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const { directory } = await openCatalogOverlay(t as never, models);
  return await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: directory, ...env },
    service: { engines: [engine] },
  });
}

/** Tells how many seconds from now the cause is shown, and how many clicks the remedy takes. */
export function beginNight(t: Pick<TestContext, 'diagnostic'>) {
  const beganAt = performance.now();
  let clicks = 0;
  return {
    async cause(shown: Promise<unknown>, withinSeconds = Number.POSITIVE_INFINITY): Promise<void> {
      await shown;
      const seconds = (performance.now() - beganAt) / 1000;
      t.diagnostic(`the cause after ${seconds.toFixed(1)} s`);
      assert.ok(seconds < withinSeconds, `the cause after ${seconds} s`);
    },
    async press(button: Locator): Promise<void> {
      clicks += 1;
      await button.click();
    },
    remedied(most: 0 | 1 | 2): void {
      t.diagnostic(`the remedy after ${clicks} clicks`);
      assert.ok(clicks <= most, `${clicks} clicks`);
    },
  };
}

export const part = (page: Page, name: string) =>
  page.getByRole('region', { name: 'State of the service' }).getByRole('link', { name: new RegExp(`^${name}`) });
export const says = (page: Page, name: string, words: RegExp) => part(page, name).getByText(words).waitFor();
export const isBroken = (page: Page, name: string) =>
  part(page, name).and(page.locator('[data-tone="bad"] > a')).waitFor();
export const openOrder = (page: Page) => page.getByRole('table', { name: 'Open orders' }).getByRole('row').nth(1);
/** Opens the line of an alert. */
export async function openAlert(page: Page, name: string | RegExp): Promise<Locator> {
  const alert = page.getByRole('region', { name });
  await alert.getByRole('button', { name, expanded: false }).click();
  return alert;
}
