import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { type ConsoleOptions, type JudgedPage, openConsole, openJudgedPage, showConsole, WIDE } from './browser.ts';

/** The pages that no test uses now. They close with the browser. */
const kept: JudgedPage[] = [];

/**
 * Opens the console in a page that the tests of a process share, one after the other: a page of its own takes a quarter
 * of a second of processor time more. Each test finds an empty storage, no routes and no other tab, and may close the
 * page. Not for tests that change what stays with a page, such as its clock. A page of another language is opened
 * apart.
 */
export async function openInKeptPage(
  t: Pick<TestContext, 'after'>,
  service: Pick<TestService, 'url'>,
  options: ConsoleOptions = {},
): Promise<Page> {
  if ('locale' in options) return await openConsole(t, service, options);
  const { page, assertFaultless } = kept.pop() ?? (await openJudgedPage());
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
    await clearStorage(next, service.url);
    await context.clearCookies();
    if (viewport !== WIDE) await next.setViewportSize(WIDE);
    if (scheme !== 'dark') await next.emulateMedia({ colorScheme: 'dark' });
    kept.push({ page: next, assertFaultless });
    assertFaultless();
  });
  return page;
}

/** Leads the page to a document of the same origin, and clears its storage when the console no longer writes there. */
async function clearStorage(page: Page, url: string): Promise<void> {
  const address = `${url}/favicon.svg`;
  await page.goto(address).catch(async () => {
    // The service has ended before the page. Another one may get its address, and so its storage.
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    await page.goto(address);
    await page.unroute(address);
  });
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
}
