import type { Page } from 'playwright-core';
import { anyTable } from '../helpers/any-table.ts';
import type { TestService } from '../helpers/service.ts';
import { pressIfThere, switchOn } from './browser.ts';
import type { DeedRow } from './deed-row.ts';

const WORDS = ['Show as example', 'No longer an example'];

/** Buttons on orders that stand still or are examples, and on alerts. */
export function troubleRows(service: TestService): readonly DeedRow[] {
  const { call, database, keys, issueKey } = service;
  const admin = { admin: keys.admin };
  let alerts = 0;
  const audited = async (act: string, target: string) => {
    const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
    return data.items.filter((entry) => entry.act === act && entry.target === target).length;
  };
  const stuckOrder = async (given?: string) => {
    const key = given ?? (await issueKey({ mode: 'test' })).key;
    const stuck = { model_id: 'sketch', prompt: 'a mill', simulate: { outcome: 'stuck' } };
    const { task_id: id } = (await call(key, 'POST', '/v1/images', stuck)).data;
    for (;;) if ((await call(keys.admin, 'GET', `/admin/v1/tasks/${id}`)).data.step === 'running') return id;
  };
  const openAlert = async () => {
    const id = `alr_${++alerts}`;
    const now = Date.now();
    const alert = {
      id,
      scope: `disk:${id}`,
      kind: 'disk_nearly_full' as const,
      subject: id,
      summary: '1 MB are free.',
      began_at: now,
      seen_at: now + 3_600_000,
      told_at: now,
      ended_at: null,
      acknowledged_by: null,
      acknowledged_at: null,
      silenced_by: null,
      silenced_until: null,
    };
    await database.write('alert', (trx) => trx.run(anyTable(trx.builder).insertInto('alerts').values(alert)));
    return { id, region: (page: Page) => page.getByRole('region', { name: `Disk nearly full: ${id}`, exact: true }) };
  };

  const ofOrder = (
    name: string,
    deed: 'ask' | 'cancel' | 'give_up',
    label: string,
    confirm: string | null = null,
  ): DeedRow => ({
    name,
    covers: [`components/orders/order-deeds.tsx POST /admin/v1/tasks/{task_id}/${deed}`],
    method: 'POST',
    request: new RegExp(`/admin/v1/tasks/[^/]+/${deed}$`),
    isContinued: true,
    // An order that has ended leaves the list.
    isReadAgain: deed !== 'ask',
    async prepare() {
      const id = await stuckOrder();
      const button = (page: Page) => page.getByRole('button', { name: `${label}: ${id}` });
      const press = async (page: Page) => {
        await button(page).click();
        if (confirm !== null) await page.getByRole('button', { name: confirm }).click();
      };
      return {
        keys: admin,
        at: '/now',
        count: () => audited(`task.${deed}`, id),
        press: async (page) => {
          await switchOn(page, 'Show test orders too');
          await press(page);
        },
        again: press,
        restore: () => call(keys.admin, 'POST', `/admin/v1/tasks/${id}/give_up`),
        doneWords: (page) =>
          deed === 'ask'
            ? page.getByText('It is not known').waitFor({ state: 'detached' })
            : button(page).waitFor({ state: 'detached' }),
      };
    },
  });

  const forAll = (name: string, deed: 'ask' | 'cancel' | 'give_up', all: string, some: string): DeedRow => ({
    name,
    covers: [`components/orders/deeds-for-all.tsx POST /admin/v1/tasks/${deed}`],
    method: 'POST',
    request: new RegExp(`/admin/v1/tasks/${deed}$`),
    isContinued: true,
    async prepare() {
      const { key, key_id: keyId } = await issueKey({ mode: 'test' });
      const ids = [await stuckOrder(key), await stuckOrder(key)];
      const entered = async () =>
        (await call(keys.admin, 'GET', `/admin/v1/audit?act=tasks.${deed}&limit=100`)).data.items.length;
      const before = await entered();
      const confirm = (page: Page) => page.getByRole('dialog').getByRole('button', { name: `${some} 2` });
      return {
        keys: admin,
        at: `/orders?state=open&mode=all&search=${keyId}`,
        count: async () => (await entered()) - before,
        press: async (page) => {
          await page.getByRole('button', { name: all }).click();
          await page.getByText('This changes 2 orders.').waitFor();
          await confirm(page).click();
        },
        again: (page) => confirm(page).click(),
        restore: async () => {
          for (const id of ids) await call(keys.admin, 'POST', `/admin/v1/tasks/${id}/give_up`);
        },
        doneWords: (page) => page.getByRole('dialog').waitFor({ state: 'detached' }),
      };
    },
  });

  const ofExample = (name: string, method: 'PUT' | 'DELETE'): DeedRow => ({
    name,
    covers: [`components/example-mark.tsx ${method} /admin/v1/tasks/{task_id}/example`],
    method,
    request: /\/example$/,
    isReadAgain: true,
    async prepare() {
      const { task_id: id } = await service.make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a mill' });
      const example = `/admin/v1/tasks/${id}/example`;
      if (method === 'DELETE') await call(keys.admin, 'PUT', example);
      const [from, to] = method === 'PUT' ? WORDS : WORDS.toReversed();
      const press = (page: Page) => page.getByRole('button', { name: from ?? '' }).click();
      return {
        keys: admin,
        at: `/orders/${id}`,
        count: async () => {
          const { data } = await call(keys.admin, 'GET', `/admin/v1/examples?task_id=${id}` as '/admin/v1/examples');
          return method === 'PUT' ? data.items.length : 1 - data.items.length;
        },
        press,
        again: press,
        restore: () => call(keys.admin, 'DELETE', example),
        doneWords: (page) => page.getByRole('button', { name: to ?? '' }).waitFor(),
      };
    },
  });

  const isHeld = async () => (await call(keys.test, 'GET', '/v1/account')).data.service.held as boolean;
  const ofHold = (name: string, method: 'POST' | 'DELETE', label: string, after: string): DeedRow => ({
    name,
    covers: [`pages/now/service-actions.tsx ${method} /admin/v1/hold`],
    method,
    request: /\/admin\/v1\/hold$/,
    async prepare() {
      const isToBeHeld = method === 'POST';
      if (!isToBeHeld) await call(keys.admin, 'POST', '/admin/v1/hold', {});
      const confirm = (page: Page) => page.getByRole('dialog').getByRole('button', { name: label }).click();
      return {
        keys: admin,
        at: '/now',
        count: async () => ((await isHeld()) === isToBeHeld ? 1 : 0),
        press: async (page) => {
          await page.getByRole('button', { name: label }).click();
          await confirm(page);
        },
        again: confirm,
        restore: () => call(keys.admin, 'DELETE', '/admin/v1/hold'),
        doneWords: (page) => page.getByRole('button', { name: after }).waitFor(),
      };
    },
  });

  return [
    ofHold('a hold of all orders', 'POST', 'Hold all orders', 'End the hold'),
    ofHold('the end of a hold', 'DELETE', 'End the hold', 'Hold all orders'),
    ofExample('an order shown as an example', 'PUT'),
    ofExample('an order shown no longer', 'DELETE'),
    ofOrder('a question to the upstream', 'ask', 'Ask now'),
    ofOrder('an order canceled for its customer', 'cancel', 'Cancel'),
    ofOrder('an order that is given up', 'give_up', 'Give up', 'Give up and release'),
    forAll('a question about all orders that were found', 'ask', 'Ask about all', 'Ask about'),
    forAll('all orders that were found canceled', 'cancel', 'Cancel all', 'Cancel'),
    forAll('all orders that were found given up', 'give_up', 'Give up all', 'Give up'),
    {
      name: 'an alert that somebody takes on',
      covers: ['pages/now/alerts.tsx POST /admin/v1/alerts/{alert_id}/acknowledge'],
      method: 'POST',
      request: /\/acknowledge$/,
      isContinued: true,
      untrue: ['The alert was not changed'],
      async prepare() {
        const { id, region } = await openAlert();
        const take = (page: Page) => region(page).getByRole('button', { name: 'I take it on' });
        return {
          keys: admin,
          at: '/now',
          count: async () => Math.min(1, await audited('alert.acknowledge', id)),
          press: (page) => take(page).click(),
          again: (page) => pressIfThere(take(page)),
          doneWords: (page) =>
            region(page)
              .getByText(/took it on/)
              .waitFor(),
        };
      },
    },
    {
      name: 'an alert that is silenced',
      covers: ['pages/now/alerts.tsx POST /admin/v1/alerts/{alert_id}/silence'],
      method: 'POST',
      request: /\/silence$/,
      isContinued: true,
      untrue: ['The alert was not changed'],
      async prepare() {
        const { id, region } = await openAlert();
        const silence = async (page: Page) => {
          const line = region(page).locator('button[aria-expanded]').first();
          await line.waitFor();
          if ((await line.getAttribute('aria-expanded')) === 'false') await line.click();
          await region(page).getByRole('button', { name: 'Silence' }).click();
          await page.getByRole('menuitem', { name: 'For 8 h' }).click();
        };
        return {
          keys: admin,
          at: '/now',
          count: () => audited('alert.silence', id),
          press: silence,
          again: silence,
          doneWords: (page) =>
            region(page)
              .getByText(/silenced it until/)
              .waitFor(),
        };
      },
    },
  ];
}
