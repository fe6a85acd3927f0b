import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, openPage, PHONE, untilPictureShown } from './browser.ts';
import { startBusyService } from './busy-service.ts';

const service = await startBusyService(wholeFile);

test('dates, numbers and money are written and read as in the reader’s country', async (t) => {
  const page = await openConsole(t, service, { locale: 'de-DE', viewport: PHONE });
  await page.getByLabel('API key').fill(service.viewer);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Prompt').first().fill('A red house by a lake');
  await page.getByRole('button', { name: /^Settings/ }).click();
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByLabel('Price limit').fill('2,50');
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).click();
  await untilPictureShown(page);
  assert.match(await page.locator('figcaption').innerText(), /made in \d+(,\d)? s · \d+,\d+\s\$/);
  await page.goto(`${service.url}/#/money/usage`);
  const entry = page.getByRole('table', { name: 'Ledger' }).getByRole('row').nth(1);
  assert.match(await entry.innerText(), /\d{1,2}\. \p{L}+\.?,? (um )?\d{1,2}:\d\d/u);
});

test('a browser whose locale has no valid name gets the usual one', async (t) => {
  const page = await openPage(t);
  await page.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })");
  await page.goto(service.url);
  await page.getByLabel('API key').fill(service.viewer);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Draw for nothing' }).waitFor();
});
