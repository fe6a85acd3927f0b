import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestService } from '../service.ts';
import { wholeFile } from '../whole-file.ts';
import { type ConsoleOptions, openConsole, openPage, showConsole, WIDE } from './browser.ts';

/** The page that no test uses now. */
let kept: Page | null = null;

/**
 * Opens the console in the page that the tests of a file share, one after the other: a page of its own takes a fifth of
 * a second of processor time more. Each test finds an empty storage, no routes and no other tab, and may close the
 * page. Not for tests that change what stays with a page, such as its clock. A page of another language is opened
 * apart.
 */
export async function openInKeptPage(
  t: Pick<TestContext, 'after'>,
  service: Pick<TestService, 'url'>,
  options: ConsoleOptions = {},
): Promise<Page> {
  if ('locale' in options) return await openConsole(t, service, options);
  const page = kept ?? (await openFirst());
  kept = null;
  const { viewport = WIDE, scheme = 'dark' } = options;
  if (viewport !== WIDE) await page.setViewportSize(viewport);
  if (scheme !== 'dark') await page.emulateMedia({ colorScheme: scheme });
  const scripts = await showConsole(page, service, options);
  t.after(async () => {
    const context = page.context();
    await context.setOffline(false);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const script of scripts) await script.dispose();
    const next = page.isClosed() ? await context.newPage() : page;
    await next.unrouteAll({ behavior: 'ignoreErrors' });
    for (const tab of context.pages()) if (tab !== next) await tab.close();
    // A document of the same origin, whose storage it clears when the console can no longer write there.
    await next.goto(`${service.url}/favicon.svg`);
    await next.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    if (viewport !== WIDE) await next.setViewportSize(WIDE);
    if (scheme !== 'dark') await next.emulateMedia({ colorScheme: 'dark' });
    kept = next;
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
