import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '@darkroom-service/testing';
import type { Page, Request } from 'playwright-core';
import type { OidcProvider } from '../helpers/oidc-provider.ts';
import type { TestService } from '../helpers/service.ts';
import type { ConsoleOptions, openConsole } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';

/** What tests read of the console's own list of its places, whose sources are checked for a browser. */
interface Place {
  readonly views: readonly { readonly path: string; readonly routes?: readonly string[] }[];
}

const file = pathToFileURL(join(import.meta.dirname, '../../console/src/pages.ts')).href;
const { places } = (await import(file)) as { readonly places: readonly Place[] };

/** The settings of a service at which `openAsEverybody` can sign in. */
export const EVERYBODY = { DARKROOM_OIDC_ROLES: 'managers=manager@default,owners=owner' } as const;

/**
 * Returns the address of every view of every place, and of each page of one thing whose id is given.
 * @param ids by the names of the parameters in the addresses, such as `taskId`
 */
export function addressesOf(ids: Readonly<Record<string, string>>): readonly string[] {
  const patterns = places.flatMap(({ views }) => views.flatMap(({ path, routes = [] }) => [path, ...routes]));
  const filled = patterns.flatMap((pattern) => {
    const name = /:(\w+)/.exec(pattern)?.[1];
    if (name === undefined) return [pattern];
    const id = ids[name];
    return id === undefined ? [] : [pattern.replace(/:\w+\??/, id)];
  });
  return [...new Set(filled)];
}

/** Opens the console for somebody who may open every view: a manager of the account who is also the owner. */
export async function openAsEverybody(
  t: Parameters<typeof openConsole>[0],
  service: TestService,
  provider: OidcProvider,
  look: Omit<ConsoleOptions, 'keys' | 'at'> = {},
): Promise<ShownPage> {
  const person = { sub: 'everybody', email: 'ada@example.com', email_verified: true, name: 'Ada' };
  provider.people.set(person.sub, { ...person, groups: ['managers', 'owners'] });
  provider.signsIn = person.sub;
  const page = await openInKeptPage(t, service, look);
  const untilLoaded = watchRequests(page);
  await page.getByRole('link', { name: 'Sign in with your work account' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const show = async (at: string) => {
    await page.goto(`${service.url}/#${at}`);
    await untilLoaded();
  };
  return { page, show, untilLoaded };
}

interface ShownPage {
  readonly page: Page;
  /** Opens an address, and waits until everything that it shows is there. */
  show(at: string): Promise<void>;
  untilLoaded(): Promise<void>;
}

/** @returns waits until the page has all that it asked for */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    // Streams of events stay open.
    if (!request.url().includes('/events')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const waiting = page.locator('main :is(.mantine-Skeleton-root, .mantine-Loader-root)');
  return async () => {
    await until(
      async () => open.size + (await waiting.count()),
      (count) => count === 0,
    );
  };
}
