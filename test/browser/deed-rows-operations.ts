import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { pressIfThere, switchOn } from './browser.ts';
import { openCircuit } from './busy-service.ts';
import type { DeedRow } from './deed-row.ts';

const MODEL = 'z-image-turbo';

/** Buttons that take something away, which a page that was read again no longer has. */
export function operationsRows(service: TestService): readonly DeedRow[] {
  const { call, database, keys, issueKey } = service;
  const admin = { admin: keys.admin };
  const engine = async () => {
    const { data } = await call(keys.admin, 'GET', '/admin/v1/engines');
    return data.items.find(({ name }) => name === 'sketch');
  };
  const model = async () => {
    const { data } = await call(keys.admin, 'GET', '/admin/v1/models');
    return data.items.find(({ model_id: id }) => id === MODEL);
  };
  const picture = async () => {
    const { key: secret } = await issueKey({ mode: 'test' });
    const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
    return { secret, id: (await service.make(secret, '/v1/images', order)).task_id };
  };
  const ofModel = (page: Page) => page.getByRole('row').filter({ hasText: MODEL });

  return [
    {
      name: 'a finding about an unknown outcome',
      covers: ['components/orders/unresolved.tsx POST /admin/v1/reconciliation/resolve'],
      method: 'POST',
      request: /\/reconciliation\/resolve$/,
      untrue: ['The note was not saved'],
      async prepare() {
        const order = { model_id: 'sketch', prompt: 'a kettle', simulate: { outcome: 'outcome_unknown' } };
        const { task_id: id } = await service.make(keys.test, '/v1/images', order);
        return {
          keys: admin,
          at: '/orders?state=unknown',
          count: async () => {
            const { data } = await call(
              keys.admin,
              'GET',
              '/admin/v1/reconciliation?mode=test&resolved=true&limit=100',
            );
            return data.items.filter(({ task_id: of }) => of === id).length;
          },
          press: async (page) => {
            await switchOn(page, 'Show test orders too');
            await page.getByRole('button', { name: `Note what was found about ${id}` }).click();
            await page.getByRole('textbox', { name: 'What was found' }).fill('Not in their records.');
            await page.getByRole('button', { name: 'Resolve', exact: true }).click();
          },
          again: (page) => page.getByRole('button', { name: 'Resolve', exact: true }).click(),
          doneWords: (page) => page.getByRole('dialog').waitFor({ state: 'detached' }),
        };
      },
    },
    {
      name: 'a refund',
      covers: ['components/orders/unresolved.tsx POST /admin/v1/tasks/{task_id}/refund'],
      method: 'POST',
      request: /\/refund$/,
      isContinued: true,
      isReadAgain: true,
      untrue: ['The order was not refunded'],
      async prepare() {
        const { id } = await picture();
        const report = { task_id: id, kind: 'broken_output', detail_json: '{}', created_at: 0 } as const;
        const row = { ...report, id: `rec_${id}`, resolved_at: null, resolution: null };
        await database.write('report', (trx) => trx.run(trx.builder.insertInto('reconciliation').values(row)));
        const button = (page: Page) => page.getByRole('button', { name: `Refund of ${id}` });
        const refund = (page: Page) => button(page).click();
        return {
          keys: admin,
          at: '/orders?state=unknown',
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
            return data.items.filter(({ act, target }) => act === 'task.refund' && target === id).length;
          },
          press: async (page) => {
            await switchOn(page, 'Show test orders too');
            await refund(page);
          },
          again: refund,
          doneWords: (page) => button(page).waitFor({ state: 'detached' }),
        };
      },
    },
    {
      name: 'a deletion',
      covers: ['pages/make/wall/delete-orders.ts DELETE /v1/images/{task_id}'],
      method: 'DELETE',
      request: /\/v1\/images\/[^/]+\?after=600$/,
      untrue: ['The order was not deleted'],
      async prepare() {
        const { secret, id } = await picture();
        const press = (page: Page) => page.getByRole('button', { name: 'Delete', exact: true }).click();
        return {
          keys: { test: secret },
          at: `/history/${id}`,
          count: async () => ((await call(secret, 'GET', `/v1/images/${id}`)).status === 404 ? 1 : 0),
          press,
          doneWords: (page) => page.waitForURL(/#\/$/),
        };
      },
    },
    {
      name: 'a restored order',
      covers: ['pages/make/wall/delete-orders.ts POST /v1/images/{task_id}/restore'],
      method: 'POST',
      request: /\/restore$/,
      untrue: ['Undone'],
      async prepare() {
        const { secret, id } = await picture();
        const state = () => call(secret, 'GET', `/v1/images/${id}`);
        const { revision } = (await state()).data;
        const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click();
        return {
          keys: { test: secret },
          at: `/history/${id}`,
          // The deletion and its end each make a revision.
          count: async () => ((await state()).data?.revision === revision + 2 ? 1 : 0),
          press: async (page) => {
            await page.getByRole('button', { name: 'Delete', exact: true }).click();
            await undo(page);
          },
          again: undo,
          doneWords: (page) => page.getByText(/^Undone/).waitFor(),
        };
      },
    },
    {
      name: 'a revoked link',
      covers: ['components/share-links.tsx DELETE /v1/shares/{share_id}'],
      method: 'DELETE',
      request: /\/v1\/shares\/[^/]+$/,
      untrue: ['The link was not revoked'],
      async prepare() {
        const { secret, id } = await picture();
        await call(secret, 'POST', '/v1/shares', { task_id: id });
        const revoke = (page: Page) => page.getByRole('button', { name: /^Revoke the link/ });
        return {
          keys: { test: secret },
          at: `/history/${id}`,
          count: async () => 1 - (await call(secret, 'GET', '/v1/shares')).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: 'Share' }).click();
            await revoke(page).click();
          },
          again: (page) => pressIfThere(revoke(page)),
          doneWords: (page) => page.getByText('There are no links to this result.').waitFor(),
        };
      },
    },
    {
      name: 'a reloaded catalog',
      covers: ['pages/now/models-view.tsx POST /admin/v1/catalog/reload'],
      method: 'POST',
      request: /\/catalog\/reload$/,
      untrue: ['The catalog was rejected'],
      async prepare() {
        const reloads = async () => {
          const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
          return data.items.filter(({ act }) => act === 'catalog.reload').length;
        };
        const before = await reloads();
        return {
          keys: admin,
          at: '/now/models',
          // However often: another reload changes nothing.
          count: async () => Math.min(1, (await reloads()) - before),
          press: (page) => page.getByRole('button', { name: 'Reload the catalog' }).click(),
          doneWords: (page) => page.getByText(/^Catalog reloaded/).waitFor(),
        };
      },
    },
    {
      name: 'a pause of a model',
      covers: ['pages/now/pausing.tsx POST /admin/v1/models/{name}/pause'],
      method: 'POST',
      request: /\/pause$/,
      async prepare() {
        await call(keys.admin, 'POST', `/admin/v1/models/${MODEL}/resume`);
        const confirm = (page: Page) =>
          page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
        return {
          keys: admin,
          at: '/now/models',
          restore: () => call(keys.admin, 'POST', `/admin/v1/models/${MODEL}/resume`),
          count: async () => ((await model())?.paused === true ? 1 : 0),
          press: async (page) => {
            await ofModel(page)
              .getByRole('button', { name: /^Pause/ })
              .click();
            await confirm(page);
          },
          again: confirm,
          doneWords: (page) =>
            ofModel(page)
              .getByRole('button', { name: /^Resume/ })
              .waitFor(),
        };
      },
    },
    {
      name: 'a resumed model',
      covers: ['pages/now/pausing.tsx POST /admin/v1/models/{name}/resume'],
      method: 'POST',
      request: /\/resume$/,
      async prepare() {
        await call(keys.admin, 'POST', `/admin/v1/models/${MODEL}/pause`, {});
        return {
          keys: admin,
          at: '/now/models',
          restore: () => call(keys.admin, 'POST', `/admin/v1/models/${MODEL}/resume`),
          count: async () => ((await model())?.paused === true ? 0 : 1),
          press: async (page) => {
            const resume = ofModel(page).getByRole('button', { name: /^Resume/ });
            await ofModel(page).waitFor();
            await pressIfThere(resume);
          },
          doneWords: (page) =>
            ofModel(page)
              .getByRole('button', { name: /^Pause/ })
              .waitFor(),
        };
      },
    },
    {
      name: 'a closed circuit',
      covers: ['pages/now/circuit-note.tsx POST /admin/v1/engines/{name}/circuit/close'],
      method: 'POST',
      request: /\/circuit\/close$/,
      isReadAgain: true,
      async prepare() {
        await call(keys.admin, 'POST', '/admin/v1/engines/sketch/circuit/close');
        await openCircuit(service, 'sketch');
        return {
          keys: admin,
          at: '/now/upstreams',
          restore: () => call(keys.admin, 'POST', '/admin/v1/engines/sketch/circuit/close'),
          count: async () => ((await engine())?.circuit.state === 'closed' ? 1 : 0),
          press: (page) => page.getByRole('button', { name: /^Resume now ?: sketch$/ }).click(),
          doneWords: (page) => page.getByText('Accepts orders').first().waitFor(),
        };
      },
    },
    {
      name: 'a resumed engine',
      covers: ['pages/now/pausing.tsx POST /admin/v1/engines/{name}/resume'],
      method: 'POST',
      request: /\/resume$/,
      isReadAgain: true,
      async prepare() {
        await call(keys.admin, 'POST', '/admin/v1/engines/sketch/circuit/close');
        await call(keys.admin, 'POST', '/admin/v1/engines/sketch/pause', {});
        return {
          keys: admin,
          at: '/now/upstreams',
          restore: () => call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume'),
          count: async () => ((await engine())?.paused === true ? 0 : 1),
          press: (page) => page.getByRole('button', { name: 'Resume sketch' }).click(),
          doneWords: (page) => page.getByRole('button', { name: 'Pause sketch' }).waitFor(),
        };
      },
    },
  ];
}
