import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../whole-file.ts';
import { openConsole, openPage, PHONE, untilPictureShown } from './browser.ts';
import { startBusyService } from './busy-service.ts';
import { assertUsable, cutOff } from './usable.ts';

const service = await startBusyService(wholeFile);
const keys = { ...service.keys, test: service.viewer };

/** Every page, and German words that stand there once it shows what it is for. */
const PAGES: readonly (readonly [at: string, words: string])[] = [
  [`/t/${service.grid.task_id}`, 'Neu würfeln'],
  [`/t/${service.failed.task_id}`, 'Der Auftrag ist fehlgeschlagen'],
  ['/light', 'Frühere Leuchttische'],
  ['/history', 'Alles, was dieser Schlüssel bestellt hat'],
  [`/history/${service.upscaled.task_id}`, 'Für das eigene Programm'],
  ['/batches', 'Noch keine Stapel'],
  ['/usage', 'Ältere Buchungen zeigen'],
  ['/keys', 'Letzter Auftrag'],
  ['/operations', 'Nimmt Aufträge an'],
  ['/operations/trends', 'Keine Live-Aufträge in dieser Zeit'],
  [`/operations/orders/${service.failed.task_id}`, 'Vorgang beim Anbieter'],
  ['/operations/requests', 'Gelungene Abfragen stehen normalerweise nicht hier'],
  ['/operations/unknown', 'Auch Testaufträge zeigen'],
  ['/operations/failures', 'Auch Testaufträge zeigen'],
  ['/operations/webhooks', 'Zustellungen von Webhooks'],
  ['/operations/models', 'Katalog neu laden'],
  ['/operations/costs', 'Noch kein Live-Auftrag mit Kosten'],
  ['/operations/audit', 'Wer was geändert hat.'],
  ['/local', 'Nicht geladen'],
];

test('a reader of German signs in and orders in German, with dates and money as Germans write them', async (t) => {
  const page = await openConsole(t, service, { locale: 'de-DE', viewport: PHONE });
  await page.getByLabel('API-Schlüssel').fill(service.viewer);
  await assertUsable(page);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByLabel('Prompt').first().fill('A red house by a lake');
  await page.getByRole('button', { name: 'Optionen des Auftrags' }).click();
  await page.getByLabel('Preisgrenze').fill('2,50');
  await page.getByRole('button', { name: 'Erstellen', disabled: false }).click();
  await untilPictureShown(page);
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  assert.match(await page.locator('figcaption').innerText(), /in \d+(,\d)? s erstellt · \d+,\d+\s\$/);
  await page.goto(`${service.url}/#/usage`);
  const booking = page.getByRole('table', { name: 'Kontobuch' }).getByRole('row').nth(1);
  assert.match(await booking.innerText(), /\d{1,2}\. \p{L}+\.?,? (um )?\d{1,2}:\d\d/u);
});

test('every page is in German, and nothing of it is cut off on a phone or kept from anyone', async (t) => {
  const page = await openConsole(t, service, { keys, locale: 'de-AT', viewport: PHONE, at: '/nowhere' });
  for (const [at, words] of PAGES) {
    await page.goto(`${service.url}/#${at}`);
    await page.getByText(words).first().waitFor();
    await assertUsable(page);
    assert.deepEqual(await cutOff(page), [], at);
  }
});

test('who chooses German in the menu of keys gets it at once; readers of English never load it', async (t) => {
  const page = await openPage(t, { locale: 'en-GB' });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const isGerman = (url: string) => /\/(?:first-)?german-[^/]*\.js$/.test(url);
  await page.goto(service.url);
  await page.getByLabel('API key').fill(service.viewer);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Prompt').first().fill('half a thought');
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  assert.ok(loaded.some((url) => url.endsWith('.js')) && !loaded.some(isGerman), 'English loads no German');
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Erstellen' }).waitFor();
  assert.equal(await page.getByLabel('Prompt').first().inputValue(), 'half a thought', 'what was typed is kept');
  assert.equal(new Set(loaded.filter(isGerman)).size, 2, 'the texts of the first page, and all others');
  await page.getByRole('button', { name: 'Schlüssel in diesem Browser' }).click();
  await page.getByRole('menuitem', { name: 'Wie der Browser' }).click();
  await page.getByRole('button', { name: 'Create' }).waitFor();
});

test('a browser whose language has no valid name gets English', async (t) => {
  const page = await openPage(t);
  await page.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })");
  await page.goto(service.url);
  await page.getByLabel('API key').fill(service.viewer);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Create' }).waitFor();
});
