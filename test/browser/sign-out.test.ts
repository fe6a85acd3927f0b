import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { untilKey } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

const service = await startSwiftService(wholeFile);
const { keys } = service;

async function signIn(page: Page, key: string, { stay }: { readonly stay: boolean }): Promise<void> {
  await page.getByLabel('API key').fill(key);
  if (stay) await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await untilSignedIn(page);
}

async function addKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitem', { name: 'Add a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('API key').fill(key);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await untilSignedOut(page);
}

const untilSignedIn = (page: Page) => page.getByRole('button', { name: /^Model: Sketch/ }).waitFor();
const untilSignedOut = (page: Page) => page.getByRole('heading', { name: 'Sign in' }).waitFor();

/** Everything that the browser has stored for the page, as text. */
async function stored(page: Page): Promise<string> {
  return String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'));
}

/** Another tab of the same browser. */
async function secondTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/#/`);
  return tab;
}

test('signing out in one tab signs out every tab, and no key returns by adding another', async (t) => {
  const page = await openInKeptPage(t, service);
  await signIn(page, keys.test, { stay: true });
  const other = await secondTab(page);
  await untilSignedIn(other);
  await addKey(page, keys.admin);
  await other.getByRole('link', { name: 'Now' }).waitFor();

  await signOut(page);
  await untilSignedOut(other);
  for (const tab of [page, other]) assert.ok(!(await stored(tab)).includes('dk_'), await stored(tab));
  await signIn(other, keys.test, { stay: false });
  assert.ok(!(await stored(other)).includes(keys.admin));
  await page.reload();
  await untilSignedOut(page);
});

test('a tab that was asleep while another one signed out does not bring its keys back', async (t) => {
  const page = await openInKeptPage(t, service);
  await signIn(page, keys.test, { stay: false });
  // A duplicated tab has a copy of the storage of the first one.
  const opened = page.waitForEvent('popup');
  await page.evaluate(`void window.open(location.href)`);
  const copy = await opened;
  await untilSignedIn(copy);
  await copy.goto('about:blank');
  await signOut(page);
  await copy.goto(`${service.url}/#/`);
  await untilSignedOut(copy);
  assert.ok(!(await stored(copy)).includes('dk_'));
});

test('a key forgotten in one tab is gone in the others, which keep their mode', async (t) => {
  const page = await openInKeptPage(t, service);
  await signIn(page, keys.live, { stay: true });
  const other = await secondTab(page);
  await untilSignedIn(other);
  await addKey(page, keys.test);
  await untilKey(page, 'Test');
  await untilKey(other, 'Live');
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitem', { name: 'Forget the live key' }).click();
  await untilKey(other, 'Test');
  assert.ok(!(await stored(other)).includes(keys.live));
});
