import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestService } from '../service.ts';
import { wholeFile } from '../whole-file.ts';
import { type ConsoleOptions, openConsole, openPage, showConsole } from './browser.ts';

/** The page that no test uses now. */
let kept: Page | null = null;

/**
 * Opens the console in the page that the tests of a file share, one after the other: a page of its own takes a fifth of
 * a second of processor time more. Each test finds an empty storage. Not for tests that change what stays with a page,
 * such as its clock, its size or its listeners. A page of another size, scheme or language is opened apart.
 */
export async function openInKeptPage(
  t: Pick<TestContext, 'after'>,
  service: Pick<TestService, 'url'>,
  options: ConsoleOptions = {},
): Promise<Page> {
  if (['viewport', 'scheme', 'locale'].some((name) => name in options)) return await openConsole(t, service, options);
  const page = kept ?? (await openFirst());
  kept = null;
  const scripts = await showConsole(page, service, options);
  t.after(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const script of scripts) await script.dispose();
    // A document of the same origin, whose storage it clears when the console can no longer write there.
    await page.goto(`${service.url}/favicon.svg`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.context().clearCookies();
    kept = page;
  });
  return page;
}

async function openFirst(): Promise<Page> {
  const page = await openPage(wholeFile);
  wholeFile.after(() => {
    kept = null;
  });
  return page;
}
