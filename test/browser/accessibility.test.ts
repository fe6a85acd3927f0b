import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { LOOKS, PHONE, untilPictureShown } from './browser.ts';
import { fillCosts, openAlert, startBusyService } from './busy-service.ts';
import { addressesOf, EVERYBODY, openAsEverybody } from './every-view.ts';
import { openInKeptPage } from './kept-page.ts';
import { assertAccessible, assertFaultless } from './usable.ts';

const provider = await startOidcProvider(wholeFile);
const service = await startBusyService(wholeFile, { env: { ...provider.env, ...EVERYBODY } });
await Promise.all([fillCosts(service), openAlert(service)]);
provider.serve(service.url);
const { grid } = service;
const keys = { ...service.keys, test: service.viewer };

/** Every state of the Studio that looks different, by how to get there. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the sign-in': async (page) => {
    await page.getByLabel('API key').waitFor();
  },
  'the empty Studio': async (page) => {
    await openSettings(page);
    await page.getByRole('button', { name: /^Model:/ }).waitFor();
    await page.getByRole('button', { name: 'More settings' }).click();
    await page.getByRole('button', { name: 'For developers' }).click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByText('Simulate an outcome').waitFor();
  },
  'the gallery': async (page) => {
    await openSettings(page);
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Veo 3\.1 Fast Google/ })
      .waitFor();
  },
  'a result': async (page) => {
    await page.goto(`${service.url}/#/t/${grid.task_id}`);
    await untilPictureShown(page);
  },
};

/** Opens what a small screen keeps behind the form. */
async function openSettings(page: Page): Promise<void> {
  if (page.viewportSize()?.width === PHONE.width) await page.getByRole('button', { name: /^Settings/ }).click();
}

for (const look of LOOKS) {
  const how = `(${look.scheme}, ${look.viewport.width} wide)`;
  for (const [name, reach] of Object.entries(STATES)) {
    test(`${name} can be used by everyone ${how}`, async (t) => {
      const page = await openInKeptPage(t, service, { ...(name === 'the sign-in' ? {} : { keys }), ...look });
      await reach(page);
      await assertAccessible(page);
    });
  }

  test(`every view of every place can be used by everyone ${how}`, async (t) => {
    const { page, show } = await openAsEverybody(t, service, provider, look);
    for (const at of addressesOf({ modelId: 'sketch', taskId: grid.task_id })) {
      await show(at);
      await assertFaultless(page, 'html');
    }
  });
}

/** Dialogs of every place, by the view and the button that open them. */
const DIALOGS: readonly (readonly [at: string, button: string | RegExp])[] = [
  ['/', /^Model:/],
  ['/', 'Search'],
  ['/', 'Presets and prompts'],
  ['/people', 'Invite'],
  ['/people/keys', 'New key'],
  ['/people/accounts', 'Credit default'],
  ['/people/accounts', 'Change default'],
  ['/people/accounts', 'New account'],
  ['/now/upstreams', /^Pause/],
];

test('Escape closes every dialog, and its button has the focus again', async (t) => {
  const { page, show } = await openAsEverybody(t, service, provider);
  for (const [at, name] of DIALOGS) {
    await show(at);
    const button = page.getByRole('button', { name }).first();
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  }
});

test('a picture is made by keyboard alone', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByRole('button', { name: /^Model:/ }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page');
  await page.keyboard.press('Enter');
  // The choice of the model, the page of the model, the prompt.
  for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
  await page.keyboard.type('a red house by a lake');
  // Nothing is ordered before its price is shown.
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
  await page.keyboard.press('Control+Enter');
  await untilPictureShown(page);
});
