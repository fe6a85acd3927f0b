import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestService } from '../service.ts';
import { wholeFile } from '../whole-file.ts';
import { openConsole, PHONE, untilPictureShown, WIDE } from './browser.ts';
import { assertAccessible } from './usable.ts';

const service = await startTestService(wholeFile);
const { keys } = service;
const grid = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a lighthouse' });

/** Every state of the Studio that looks different, by how to get there. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the sign-in': async (page) => {
    await page.getByLabel('API key').waitFor();
  },
  'the empty Studio': async (page) => {
    await page.getByRole('button', { name: /^Model:/ }).waitFor();
    await page.getByRole('button', { name: 'More settings' }).click();
    await page.getByRole('button', { name: 'Options of the order' }).click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByText('Simulate an outcome').waitFor();
  },
  'the gallery': async (page) => {
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Veo 3.1 Fast/ })
      .waitFor();
  },
  'a model': async (page) => {
    await page.goto(`${service.url}/#/models/sketch`);
    await page.getByRole('region', { name: 'Examples' }).locator('img').first().waitFor();
  },
  'a result': async (page) => {
    await page.goto(`${service.url}/#/t/${grid.task_id}`);
    await untilPictureShown(page);
  },
};

for (const [name, reach] of Object.entries(STATES)) {
  for (const scheme of ['dark', 'light'] as const) {
    for (const viewport of [WIDE, PHONE]) {
      test(`${name} can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
        const page = await openConsole(t, service, { ...(name === 'the sign-in' ? {} : { keys }), scheme, viewport });
        await reach(page);
        await assertAccessible(page);
      });
    }
  }
}

test('a picture is made by keyboard alone', async (t) => {
  const page = await openConsole(t, service, { keys });
  await page.getByRole('button', { name: /^Model:/ }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page');
  await page.keyboard.press('Enter');
  // The choice of the model, the page of the model, the prompt.
  for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
  await page.keyboard.type('a red house by a lake');
  // Nothing is ordered before its price is shown.
  await page.getByRole('button', { name: 'Create', disabled: false }).waitFor();
  await page.keyboard.press('Control+Enter');
  await untilPictureShown(page);
});
