import type { TestContext } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { type ConsoleOptions, openConsole } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';

/** A fault in the answer to an order. */
export type Break = (route: Route) => Promise<void>;

/** The order arrives, its answer does not. */
export const drop: Break = async (route) => {
  await route.fetch();
  await route.abort('connectionreset');
};
export const cut: Break = async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).slice(0, 60) });
};
export const gatewayFault: Break = async (route) => {
  await route.fetch();
  await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
};
/** The order does not arrive. */
export const lose: Break = (route) => route.abort('connectionreset');

/** Waits until the price of a form is that of what it would order: a test order can be pressed before. */
export async function untilPriced(page: Page, id: 'price' | 'table-price' = 'price'): Promise<void> {
  await page.locator(`:not([data-pending]) > [data-testid="${id}"]`).filter({ hasText: '$' }).waitFor();
}

const ORDERS = /\/v1\/(images|videos)(\/actions)?$/;

export interface OrderForm {
  readonly page: Page;
  readonly key: string;
  /** The Idempotency-Key of each order, in every tab. */
  readonly sent: readonly string[];
  /** From now on answers come back whole. */
  mend(): void;
  create(): Promise<void>;
  tasks(): Promise<readonly { readonly task_id: string; readonly status: string }[]>;
  /** How many orders were paid. */
  charges(): Promise<number>;
  /** Another tab of the same browser. */
  anotherTab(at?: string): Promise<Page>;
}

interface OrderFormOptions extends Pick<ConsoleOptions, 'draft'> {
  readonly accountId?: string;
  /** In a page of its own, whose clock the test may set. */
  readonly isAlone?: boolean;
}

/** The form, filled in, with a key of its own. Until `mend` is called, no answer to an order comes back whole. */
export async function openOrderForm(
  t: Pick<TestContext, 'after'>,
  service: TestService,
  breakAnswer: Break,
  { accountId, isAlone = false, ...options }: OrderFormOptions = {},
): Promise<OrderForm> {
  const { key } = await service.issueKey({ mode: 'test', ...(accountId === undefined ? {} : { accountId }) });
  const page = await (isAlone ? openConsole : openInKeptPage)(t, service, { ...options, keys: { test: key } });
  const sent: string[] = [];
  let isBroken = true;
  await page.context().route(ORDERS, async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    sent.push(route.request().headers()['idempotency-key'] ?? '');
    await (isBroken ? breakAnswer(route) : route.continue());
  });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  const tasks = async () => (await service.call(key, 'GET', '/v1/images')).data.items;
  return {
    page,
    key,
    sent,
    mend: () => {
      isBroken = false;
    },
    create: () => page.getByRole('button', { name: 'Draw for nothing', exact: true }).click(),
    tasks,
    async charges() {
      const { items } = (await service.call(key, 'GET', '/v1/account/ledger')).data;
      return items.filter(({ kind }) => kind === 'charge').length;
    },
    async anotherTab(at = '/') {
      const tab = await page.context().newPage();
      await tab.goto(`${service.url}/#${at}`);
      return tab;
    },
  };
}

/** Opens the list of orders that every page has. */
export async function openTray(page: Page): Promise<ReturnType<Page['getByRole']>> {
  const button = page.getByRole('button', { name: /^Activity:/ });
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  const tray = page.getByRole('dialog', { name: /^Activity/ });
  await tray.waitFor();
  return tray;
}
