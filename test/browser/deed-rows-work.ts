import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';
import type { DeedRow } from './deed-row.ts';
import { makeLightTable } from './light-form.ts';

const PICTURE = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const FILM = { model_id: 'sketch-motion', prompt: 'a fox', duration: 1, resolution: '360p' };
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();

const CANCEL = 'components/batches/batch-state.tsx POST /v1/batches/{batch_id}/cancel';

/** Returns the rows of a key's deeds beside orders: tags, batches, end users, files. */
export function workRows(service: TestService): readonly DeedRow[] {
  const { call, issueKey, database } = service;
  let names = 0;
  const fresh = async (more: object = {}) => (await issueKey({ mode: 'test', name: `work-${++names}`, ...more })).key;

  const filesOf = async (keyId: string) => {
    const query = database.read.builder.selectFrom('files').select('id').where('api_key_id', '=', keyId);
    return (await database.read.all(query)).length;
  };
  const tagRow = (type: 'image' | 'video'): DeedRow => ({
    name: `a favourite of ${type}s`,
    // The address of a video differs from that of an image by its type alone.
    covers: ['api/marks.ts PUT /v1/images/{task_id}/tags'],
    method: 'PUT',
    request: /\/tags$/,
    async prepare() {
      const secret = await fresh();
      const body = type === 'image' ? PICTURE : FILM;
      const { task_id: id } = await service.make(secret, `/v1/${type}s`, body);
      const star = (page: Page) => page.getByRole('button', { name: 'Favourite (s key)' });
      const count = async () => (await call(secret, 'GET', `/v1/${type}s/${id}/tags`)).data.tags.length;
      return {
        keys: { test: secret },
        at: `/history/${id}`,
        count,
        press: (page) => star(page).click(),
        again: async (page) => {
          // The page reads again after the lost answer and shows what the service has; one more click would undo it.
          if ((await count()) === 0) await star(page).click();
        },
        doneWords: (page) => page.getByRole('button', { name: 'Favourite (s key)', pressed: true }).waitFor(),
      };
    },
  });

  const runningBatch = async (secret: string) => {
    const slow = { ...PICTURE, simulate: { seconds: 3_600 } };
    const id = await makeLightTable(service, secret, [
      [1, 1, slow],
      [1, 2, slow],
    ]);
    const batch = async () => (await call(secret, 'GET', `/v1/batches/${id}`)).data;
    await until(batch, ({ counts }) => counts.processing === 1);
    return { id, count: async () => ((await batch()).cancel_requested_at === null ? 0 : 1) };
  };

  return [
    tagRow('image'),
    tagRow('video'),
    {
      name: 'the end of a batch',
      covers: [CANCEL],
      method: 'POST',
      request: /\/cancel$/,
      async prepare() {
        const secret = await fresh({ concurrency: 1 });
        const { id, count } = await runningBatch(secret);
        return {
          keys: { test: secret },
          at: `/batches/${id}`,
          count,
          press: cancelBatch,
          again: submit('Cancel the batch'),
          doneWords: (page) => page.getByText('Being canceled').first().waitFor(),
        };
      },
    },
    {
      name: 'the end of a light table',
      covers: [CANCEL],
      method: 'POST',
      request: /\/cancel$/,
      async prepare() {
        const secret = await fresh({ concurrency: 1 });
        const { id, count } = await runningBatch(secret);
        return {
          keys: { test: secret },
          at: `/light/${id}`,
          count,
          press: cancelBatch,
          again: submit('Cancel the batch'),
          doneWords: (page) => page.getByText('Being canceled').first().waitFor(),
        };
      },
    },
    {
      name: 'the limits of an end user',
      covers: ['pages/people/end-users-panel.tsx PUT /v1/end_users/{end_user}'],
      method: 'PUT',
      request: /\/v1\/end_users\/zoe$/,
      async prepare() {
        const secret = await fresh();
        return {
          keys: { test: secret },
          at: '/people/developers',
          count: async () => {
            const { data } = await call(secret, 'GET', '/v1/end_users');
            return data.items.length;
          },
          press: async (page) => {
            const panel = page.getByRole('region', { name: 'End users' });
            await panel.getByRole('button', { name: 'Set limits' }).click();
            await dialog(page).getByLabel('End user').fill('zoe');
            const choices = dialog(page).getByRole('radiogroup', { name: 'In total' });
            await choices.getByText('Own limit', { exact: true }).click();
            await dialog(page).getByLabel('Dollars in total').fill('5');
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => page.getByText('$0.00 of $5.00').waitFor(),
        };
      },
    },
    {
      name: 'the limits of the key for an end user',
      covers: ['pages/people/end-users-panel.tsx DELETE /v1/end_users/{end_user}'],
      method: 'DELETE',
      request: /\/v1\/end_users\/ada$/,
      async prepare() {
        const secret = await fresh();
        await service.make(secret, '/v1/images', { ...PICTURE, end_user: 'ada' });
        await call(secret, 'PUT', '/v1/end_users/ada', { limits: { total: '5.00' } });
        return {
          keys: { test: secret },
          at: '/people/developers',
          count: async () => {
            const { data } = await call(secret, 'GET', '/v1/end_users/ada');
            return Object.keys(data.limits).length === 0 ? 1 : 0;
          },
          press: async (page) => {
            await page.getByRole('button', { name: 'Limits of ada' }).click();
            await submit('Use the limits of the key')(page);
          },
          again: submit('Use the limits of the key'),
          doneWords: (page) =>
            page.getByRole('row', { name: /ada/ }).getByText('of $5.00').waitFor({ state: 'detached' }),
        };
      },
    },
    {
      name: 'an upload',
      covers: ['api/client.ts POST /v1/files'],
      method: 'POST',
      request: /\/v1\/files$/,
      isContinued: true,
      isUnbooked: true,
      async prepare() {
        const { key: secret, key_id: keyId } = await issueKey({ mode: 'test' });
        const path = join(await temporaryDirectory('darkroom-upload-'), 'pixel.png');
        await writeFile(path, PIXEL);
        const choose = async (page: Page) => {
          await page
            .getByRole('button', { name: /^Add: / })
            .first()
            .click();
          const chosen = page.waitForEvent('filechooser');
          await page.getByRole('menuitem', { name: /^Upload/ }).click();
          await (await chosen).setFiles(path);
        };
        return {
          keys: { test: secret },
          at: '/',
          count: () => filesOf(keyId),
          press: choose,
          doneWords: (page) => page.getByRole('button', { name: /^Remove .*1/ }).waitFor(),
        };
      },
    },
  ];
}

async function cancelBatch(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel what has not started' }).click();
  await submit('Cancel the batch')(page);
}
