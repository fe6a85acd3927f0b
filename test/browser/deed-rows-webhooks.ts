import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { pressIfThere } from './browser.ts';
import type { DeedRow } from './deed-row.ts';

/** A part of the URLs that are tested. */
export const WEBHOOK_TOKEN = 'hush-4711';

const panel = (page: Page) => page.getByRole('region', { name: 'Webhooks' });
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** A receiver that takes a connection and does not answer, so that a delivery to it goes on. */
async function startSilentReceiver(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  wholeFile.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The forms of webhooks, for customers and operators. */
export async function webhookRows(service: TestService): Promise<readonly DeedRow[]> {
  const { call, keys, database } = service;
  const silent = await startSilentReceiver();
  /** A key that sees an account of its own. */
  const viewer = async () => {
    const accountId = await service.createAccount(null);
    const { key: secret, key_id: keyId } = await service.issueKey({ mode: 'test', accountId, accountView: true });
    return { accountId, secret, keyId };
  };
  /** A delivery that has ended. When it is sent again, it goes on until the test is over. */
  const delivery = async ({ accountId, secret, keyId }: Awaited<ReturnType<typeof viewer>>) => {
    const id = `whd_${keyId}`;
    const task = await service.make(secret, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
    await database.write('insert_delivery', (trx) =>
      trx.run(
        trx.builder.insertInto('webhook_deliveries').values({
          id,
          account_id: accountId,
          api_key_id: keyId,
          task_id: task.task_id,
          type: 'task.succeeded',
          url: `${silent}/${keyId}`,
          status: 'failed',
          created_at: Date.now(),
          delivered_at: null,
          mode: 'test',
        }),
      ),
    );
    return id;
  };
  const statusOf = async (id: string) => {
    const query = database.read.builder.selectFrom('webhook_deliveries').select('status').where('id', '=', id);
    return (await database.read.first(query))?.status;
  };
  /** After the list was read again, it says that the delivery waits, and has no button. */
  const sendAgain = (keyId: string) => async (page: Page) => {
    const row = page.getByRole('row').filter({ hasText: `${silent}/${keyId}` });
    await row.waitFor();
    await pressIfThere(row.getByRole('button', { name: 'Send again' }));
  };
  const waits = (keyId: string) => (page: Page) =>
    page
      .getByRole('row')
      .filter({ hasText: `${silent}/${keyId}` })
      .getByText('Waiting')
      .waitFor();

  return [
    {
      name: 'a rotation of the webhook secret',
      covers: ['pages/people/webhooks-panel.tsx POST /v1/account/webhooks/secret/rotate'],
      method: 'POST',
      request: /\/secret\/rotate$/,
      isContinued: true,
      async prepare() {
        const { secret } = await viewer();
        const secrets = async () => (await call(secret, 'GET', '/v1/account/webhooks/secret')).data.items;
        const [first] = await secrets();
        return {
          keys: { test: secret },
          at: '/people/developers',
          // A second rotation would end the first secret.
          count: async () => {
            const items = await secrets();
            return items.some((one: { secret: string }) => one.secret === first?.secret) ? items.length - 1 : 2;
          },
          press: press('Rotate the secret'),
          doneWords: (page) => panel(page).getByText('also signs until').waitFor(),
        };
      },
    },
    {
      name: 'a redelivery',
      covers: ['components/deliveries.tsx POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver'],
      method: 'POST',
      request: /\/redeliver$/,
      isContinued: true,
      untrue: ['It was not sent again'],
      async prepare() {
        const owner = await viewer();
        const id = await delivery(owner);
        return {
          keys: { test: owner.secret },
          at: '/people/developers',
          count: async () => ((await statusOf(id)) === 'pending' ? 1 : 0),
          press: sendAgain(owner.keyId),
          doneWords: waits(owner.keyId),
        };
      },
    },
    {
      name: 'a redelivery by the operator',
      covers: ['components/deliveries.tsx POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver'],
      method: 'POST',
      request: /\/redeliver$/,
      isContinued: true,
      untrue: ['It was not sent again'],
      async prepare() {
        const owner = await viewer();
        const id = await delivery(owner);
        return {
          keys: { admin: keys.admin },
          at: '/orders/webhooks',
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
            return data.items.filter(({ act, target }) => act === 'webhook.redeliver' && target === id).length;
          },
          press: sendAgain(owner.keyId),
          doneWords: waits(owner.keyId),
        };
      },
    },
    {
      name: 'a default webhook URL',
      tellsWhen: true,
      covers: ['pages/people/webhooks-panel.tsx PUT /v1/account/webhooks'],
      method: 'PUT',
      request: /\/account\/webhooks$/,
      async prepare() {
        const { secret } = await viewer();
        return {
          keys: { test: secret },
          at: '/people/developers',
          count: async () => ((await call(secret, 'GET', '/v1/account/webhooks')).data.url === null ? 0 : 1),
          press: async (page) => {
            await panel(page).getByLabel('Default URL').fill('https://shop.invalid/hooks');
            await press('Save')(page);
          },
          again: async (page) => {
            // Saved already, the form has nothing to save, as soon as it has been read again.
            const save = page.getByRole('button', { name: 'Save', exact: true });
            if (await save.isEnabled()) await save.click({ force: true });
          },
          doneWords: async (page, isDoneNow) => {
            if (isDoneNow) await panel(page).getByText('Saved.').waitFor();
            else await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
          },
        };
      },
    },
    {
      name: 'a webhook test',
      covers: ['pages/people/webhooks-panel.tsx POST /v1/account/webhooks/test'],
      method: 'POST',
      request: /\/webhooks\/test$/,
      isContinued: true,
      async prepare() {
        const { secret } = await viewer();
        const { url, received } = await startReceiver(wholeFile);
        return {
          keys: { test: secret },
          at: '/people/developers',
          count: async () => received.length,
          press: async (page) => {
            await panel(page).getByLabel('Default URL').fill(`${url}?token=${WEBHOOK_TOKEN}`);
            await press('Send a test event')(page);
          },
          doneWords: (page) => page.getByText(/^The receiver accepted it with 204/).waitFor(),
        };
      },
    },
  ];
}
