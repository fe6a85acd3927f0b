import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Disposable, Locator, Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { wholeProcess } from '../helpers/whole-file.ts';
import { launchBrowser } from './launch-browser.ts';

const BUILT = join(import.meta.dirname, '../../console/dist/index.html');
/** Far more than anything takes: the machine may be painting other things meanwhile. */
const PATIENCE_MS = 120_000;
/** Longer than a page takes to open on a busy machine. */
const OPENS_MS = 30_000;
/**
 * A page of a test is gone before code that the browser optimizes repays the processor time of optimizing it. What it
 * has compiled is kept, since the next test runs the same.
 */
const FOR_SHORT_PAGES = '--js-flags=--no-opt --no-maglev --no-flush-bytecode';
/** What the browser itself says of answers that a test provokes: not a word of the console's. */
const OF_THE_NETWORK = /^Failed to load resource/;

export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** How each view is judged: every scheme and every width once, since colours do not depend on the width. */
export const LOOKS = [
  { scheme: 'dark', viewport: WIDE },
  { scheme: 'light', viewport: PHONE },
] as const;

let running: Promise<Browser> | null = null;

/** The globals of a page that tests read and Node's types do not have. */
export interface PageGlobals {
  readonly CSSStyleSheet: new () => { replaceSync(text: string): void };
  readonly document: {
    readonly adoptedStyleSheets: object[];
    querySelector(selector: string): { readonly naturalWidth?: number; readonly readyState?: number } | null;
  };
}

export interface ConsoleOptions {
  /** Signed in with these keys; none = signed out. */
  readonly keys?: Partial<TestService['keys']>;
  /** The part of the address after the `#`. */
  readonly at?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly scheme?: 'light' | 'dark';
  /** What the order form of this tab begins with. */
  readonly draft?: object;
  /** The language that the browser prefers. */
  readonly locale?: string;
  /** The console repeats a request without an answer at once, for tests of what follows. */
  readonly isHasty?: boolean;
  /**
   * How often the console reads what it reads every ten seconds: often for tests that wait until it sees something, and
   * seldom for those that show that it sees something sooner.
   */
  readonly readsEveryMs?: number;
}

/** Opens the console of this service in a real browser. */
export async function openConsole(
  t: Pick<TestContext, 'after'>,
  service: Pick<TestService, 'url'>,
  options: ConsoleOptions = {},
): Promise<Page> {
  const page = await openPage(t, options);
  await showConsole(page, service, options);
  return page;
}

/** Leads a page to the console of this service. Disposing of what it returns makes the page forget these options. */
export async function showConsole(
  page: Page,
  { url }: Pick<TestService, 'url'>,
  { keys, at = '/', draft, isHasty = false, readsEveryMs }: ConsoleOptions,
): Promise<readonly Disposable[]> {
  assert.ok(existsSync(BUILT), 'the console is not built: run `npm run prepare`');
  const scripts: Disposable[] = [];
  const session = keys && { keys, mode: keys.test === undefined ? 'live' : 'test', remembered: false };
  for (const [name, value] of Object.entries({ session, draft }))
    if (value !== undefined)
      scripts.push(await page.context().addInitScript(keepInTab, [`darkroom.${name}`, JSON.stringify(value)] as const));
  if (isHasty) scripts.push(await page.context().addInitScript(shortenPauses));
  if (readsEveryMs !== undefined) scripts.push(await page.context().addInitScript(replaceInterval, readsEveryMs));
  await page.goto(`${url}/#${at}`);
  return scripts;
}

/** Runs in the page. */
function keepInTab([name, text]: readonly [name: string, text: string]): void {
  // A tab is empty at first, and then has no storage.
  if ((globalThis as { origin?: string }).origin !== 'null' && sessionStorage.getItem(name) === null)
    sessionStorage.setItem(name, text);
}

/** Runs in the page. The pauses are those of `api/deeds.ts` and `api/connection.ts`. */
function shortenPauses(): void {
  const wait = globalThis.setTimeout;
  const isPause = (milliseconds?: number) => milliseconds === 500 || milliseconds === 1_500;
  const shortened = (act: () => void, milliseconds?: number) => wait(act, isPause(milliseconds) ? 20 : milliseconds);
  Object.assign(globalThis, { setTimeout: shortened });
}

/** Runs in the page. */
function replaceInterval(readsEveryMs: number): void {
  const repeat = globalThis.setInterval;
  const replaced = (act: () => void, milliseconds?: number) =>
    repeat(act, milliseconds === 10_000 ? readsEveryMs : milliseconds);
  Object.assign(globalThis, { setInterval: replaced });
}

/**
 * Runs in the page. What is wholly transparent takes part in layout, clicks and focus, but is not painted: without a
 * graphics card, painting takes an eighth of a browser's processor time. `usable.ts` takes the sheet away for axe,
 * which judges only what can be seen.
 */
function paintNothing(): void {
  const { CSSStyleSheet, document } = globalThis as unknown as PageGlobals;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { opacity: 0 !important; }');
  document.adoptedStyleSheets.push(sheet);
}

interface Look extends Pick<ConsoleOptions, 'viewport' | 'scheme' | 'locale'> {
  /** Whether the browser runs scripts of pages: it does unless this is false. */
  readonly hasScripts?: boolean;
}

/** A page, and what judges it. */
export interface JudgedPage {
  readonly page: Page;
  /** Fails on an error in the browser's console or an unhandled rejection since the last call. */
  assertFaultless(): void;
}

/** Opens an empty page. An error in the browser's console or an unhandled rejection fails the test. */
export async function openPage(t: Pick<TestContext, 'after'>, look: Look = {}): Promise<Page> {
  const { page, assertFaultless } = await openJudgedPage(look);
  t.after(async () => {
    await page.context().close();
    assertFaultless();
  });
  return page;
}

/** Opens an empty page in a context of its own, which the caller closes. */
export async function openJudgedPage({
  viewport = WIDE,
  scheme = 'dark',
  locale = 'en-US',
  hasScripts = true,
}: Look = {}): Promise<JudgedPage> {
  const options = { viewport, colorScheme: scheme, reducedMotion: 'reduce', locale } as const;
  const { context, page } = await openTab({ ...options, javaScriptEnabled: hasScripts });
  // Also for the other tabs that a test opens.
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(paintNothing);
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !OF_THE_NETWORK.test(message.text())) faults.push(message.text());
  });
  context.on('weberror', (fault) => faults.push(String(fault.error())));
  const assertFaultless = () => assert.deepEqual(faults.splice(0), [], 'the console of the browser stays empty');
  return { page, assertFaultless };
}

/** Chooses in the menu which key is used for orders. */
export async function chooseKey(page: Page, name: 'Test' | 'Live'): Promise<void> {
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await untilKey(page, name);
}

/** Waits until the menu says which key is used for orders. */
export async function untilKey(page: Page, name: 'Test' | 'Live'): Promise<void> {
  await page.getByRole('button', { name: `Keys in this browser: ${name}` }).waitFor();
}

/** Presses a button as long as it is there: a list that is read again meanwhile may take it away, or disable it. */
export async function pressIfThere(button: Locator): Promise<void> {
  while (await button.isVisible()) {
    const isPressed = await button.click({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (isPressed) return;
  }
}

/** Turns on a switch that content loading before it may move away from the pointer. */
export async function switchOn(page: Page, name: string): Promise<void> {
  const control = page.getByRole('switch', { name });
  await until(
    async () => await control.check({ force: true }).catch(() => 'missed'),
    (answer) => answer !== 'missed',
  );
}

/** Waits until a picture, by default the finished one, is really shown. */
export async function untilPictureShown(page: Page, selector = 'figure img'): Promise<void> {
  // Not a text: the page, whose policy forbids that, would evaluate it again at each look.
  await page.waitForFunction((which) => {
    const { document } = globalThis as unknown as PageGlobals;
    return (document.querySelector(which)?.naturalWidth ?? 0) > 0;
  }, selector);
}

/** Waits until an element has the focus. */
export async function untilFocused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Waits until an action has brought another task to the stage, and it is finished. */
export async function untilNextPicture(page: Page, act: () => Promise<void>): Promise<void> {
  const before = page.url();
  await act();
  await page.waitForURL((url) => url.href !== before);
  await untilPictureShown(page);
}

/**
 * Opens an empty page in a context of its own. The driver waits for it without an end, and on a busy machine a renderer
 * sometimes never reports itself: then another browser is started, and the silent one closes after the tests.
 */
async function openTab(
  look: BrowserContextOptions,
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  for (;;) {
    const context = await (await theBrowser()).newContext(look);
    const opening = context.newPage();
    const page = await Promise.race([opening, pause(OPENS_MS, null, { ref: false })]);
    if (page !== null) return { context, page };
    // It ends with its browser.
    opening.catch(() => {});
    running = null;
  }
}

/** One browser for all tests of a process, so that each finds what the others have compiled. */
async function theBrowser(): Promise<Browser> {
  if (running === null) {
    const launched = launchBrowser([FOR_SHORT_PAGES]);
    running = launched;
    wholeProcess.after(async () => {
      running = null;
      await (await launched).close();
    });
  }
  return await running;
}
