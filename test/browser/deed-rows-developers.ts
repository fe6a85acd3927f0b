import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import type { DeedRow } from './deed-row.ts';

const ENGINE = 'fal';
const RULES = 'Where orders may go';
const SECRET = 'an-id:a-secret-of-nobody';
const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();
const panel = (page: Page, name: string) => page.getByRole('region', { name });

/** Rows for the deeds of a customer's developers: destinations of outputs, and their own keys at upstreams. */
export function developerRows(service: TestService): readonly DeedRow[] {
  const { call } = service;
  const at = '/people/developers';
  /** A live key of an account of its own, which it may change. */
  const owner = async () => {
    const accountId = await service.createAccount(null);
    return (await service.issueKey({ mode: 'live', accountId, accountView: true })).key;
  };
  // Refuses at once, so that a delivery to it goes on until the test is over.
  const bucket = {
    bucket: 'archive',
    endpoint: 'http://127.0.0.1:9',
    access_key_id: 'an-access-key',
    secret_access_key: 'a-secret-access-key',
  };
  const destination = async (secret: string) => {
    const { status, body } = await call(secret, 'PUT', '/v1/destinations/archive', bucket);
    assert.equal(status, 200, JSON.stringify(body));
  };
  const upstreamKey = async (secret: string) => {
    const answer = await call(secret, 'PUT', `/v1/account/upstream_keys/${ENGINE}`, { secret: SECRET });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };

  const ofDelivery = (type: 'image' | 'video'): DeedRow => ({
    name: `a delivery of one ${type} more`,
    covers: ['pages/people/destinations-panel.tsx POST /v1/images/{task_id}/deliveries'],
    method: 'POST',
    request: /\/deliveries$/,
    isContinued: true,
    untrue: ['The order is not delivered'],
    async prepare() {
      const secret = await owner();
      await destination(secret);
      const order =
        type === 'image'
          ? { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' }
          : { model_id: 'sketch-motion', prompt: 'a fox', duration: 1, resolution: '360p' };
      const { task_id: id } = await service.make(secret, `/v1/${type}s`, order);
      return {
        keys: { live: secret },
        at,
        count: async () => ((await call(secret, 'GET', `/v1/${type}s/${id}`)).data.deliveries ?? []).length,
        press: async (page) => {
          await page.getByRole('button', { name: 'Deliver an order to archive' }).click();
          await dialog(page).getByLabel('Order id').fill(id);
          await submit('Deliver')(page);
        },
        again: submit('Deliver'),
        doneWords: (page) => page.getByText('Its outputs are on their way.').waitFor(),
      };
    },
  });

  return [
    ofDelivery('image'),
    ofDelivery('video'),
    {
      name: 'a destination',
      covers: ['pages/people/destinations-panel.tsx PUT /v1/destinations/{name}'],
      method: 'PUT',
      request: /\/v1\/destinations\/archive$/,
      untrue: ['The destination was not changed'],
      async prepare() {
        const secret = await owner();
        return {
          keys: { live: secret },
          at,
          count: async () => (await call(secret, 'GET', '/v1/destinations')).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: 'New destination' }).click();
            await dialog(page).getByLabel('Name', { exact: true }).fill('archive');
            await dialog(page).getByLabel('Bucket').fill(bucket.bucket);
            await dialog(page).getByLabel('Server, if not Amazon S3').fill(bucket.endpoint);
            await dialog(page).getByLabel('Access key id').fill(bucket.access_key_id);
            await dialog(page).getByLabel('Secret access key').fill(bucket.secret_access_key);
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: async (page) => {
            await dialog(page).waitFor({ state: 'detached' });
            await panel(page, 'Destinations').getByText('http://127.0.0.1:9').waitFor();
          },
        };
      },
    },
    {
      name: 'the removal of a destination',
      covers: ['pages/people/destinations-panel.tsx DELETE /v1/destinations/{name}'],
      method: 'DELETE',
      request: /\/v1\/destinations\/archive$/,
      untrue: ['The destination was not changed'],
      async prepare() {
        const secret = await owner();
        await destination(secret);
        return {
          keys: { live: secret },
          at,
          count: async () => 1 - (await call(secret, 'GET', '/v1/destinations')).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: 'Remove the destination archive' }).click();
            await submit('Remove')(page);
          },
          again: submit('Remove'),
          doneWords: (page) => panel(page, 'Destinations').getByText('No destination yet.').waitFor(),
        };
      },
    },
    {
      name: 'a rule about data',
      covers: ['pages/people/data-rules-panel.tsx PUT /v1/account/data_rules/{subject}'],
      method: 'PUT',
      request: /\/data_rules\/account$/,
      untrue: ['The rule was not saved'],
      async prepare() {
        const secret = await owner();
        return {
          keys: { live: secret },
          at,
          count: async () => (await call(secret, 'GET', '/v1/account/data_rules')).data.items.length,
          press: async (page) => {
            await panel(page, RULES).getByRole('button', { name: 'New rule' }).click();
            await dialog(page).getByLabel('Only where data is processed in').fill('de, fr');
            await dialog(page).getByLabel('Not where data is used for training').check();
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: async (page) => {
            await dialog(page).waitFor({ state: 'detached' });
            await panel(page, RULES).getByText('Processed only in DE, FR; not used for training').waitFor();
          },
        };
      },
    },
    {
      name: 'the removal of a rule about data',
      covers: ['pages/people/data-rules-panel.tsx DELETE /v1/account/data_rules/{subject}'],
      method: 'DELETE',
      request: /\/data_rules\/account$/,
      untrue: ['The rule was not removed'],
      async prepare() {
        const secret = await owner();
        await call(secret, 'PUT', '/v1/account/data_rules/account', { training: false });
        return {
          keys: { live: secret },
          at,
          count: async () => 1 - (await call(secret, 'GET', '/v1/account/data_rules')).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: 'Remove the rule of the whole account' }).click();
            await submit('Remove')(page);
          },
          again: submit('Remove'),
          doneWords: (page) =>
            panel(page, RULES)
              .getByText(/^No rule yet/)
              .waitFor(),
        };
      },
    },
    {
      name: 'an own key at an upstream',
      covers: ['pages/people/upstream-keys-panel.tsx PUT /v1/account/upstream_keys/{engine}'],
      method: 'PUT',
      request: new RegExp(`/upstream_keys/${ENGINE}$`),
      untrue: ['The upstream key was not changed'],
      async prepare() {
        const secret = await owner();
        return {
          keys: { live: secret },
          at,
          count: async () => (await call(secret, 'GET', '/v1/account/upstream_keys')).data.items.length,
          press: async (page) => {
            await panel(page, 'Upstream keys').getByRole('button', { name: 'Add a key' }).click();
            await dialog(page).getByRole('combobox', { name: 'Upstream' }).click();
            await page.getByRole('option', { name: ENGINE, exact: true }).click();
            await dialog(page).getByLabel('Key', { exact: true }).fill(SECRET);
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => page.getByRole('button', { name: `Replace the key at ${ENGINE}` }).waitFor(),
        };
      },
    },
    {
      name: 'the removal of an own key at an upstream',
      covers: ['pages/people/upstream-keys-panel.tsx DELETE /v1/account/upstream_keys/{engine}'],
      method: 'DELETE',
      request: new RegExp(`/upstream_keys/${ENGINE}$`),
      untrue: ['The upstream key was not changed'],
      async prepare() {
        const secret = await owner();
        await upstreamKey(secret);
        return {
          keys: { live: secret },
          at,
          count: async () => 1 - (await call(secret, 'GET', '/v1/account/upstream_keys')).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: `Remove the key at ${ENGINE}` }).click();
            await submit('Remove')(page);
          },
          again: submit('Remove'),
          doneWords: (page) => panel(page, 'Upstream keys').getByText('No upstream key yet.').waitFor(),
        };
      },
    },
  ];
}
