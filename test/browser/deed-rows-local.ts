import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { openGallery } from '../helpers/gallery-bench.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { switchOn } from './browser.ts';
import type { DeedRow } from './deed-row.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Rows for the deeds of an admin on the models of this machine. */
export async function localRows(): Promise<readonly DeedRow[]> {
  const gallery = await openGallery(wholeFile);
  const { call, keys, hub, tiny } = gallery;
  const reached = (state: string) => until(tiny, (model) => model.state === state);
  const clear = async (isPulled: boolean) => {
    hub.faults.length = 0;
    if ((await tiny()).state === 'pulling') await gallery.cancel();
    await until(tiny, ({ state }) => state !== 'pulling');
    if (isPulled) await gallery.pull({ accept_licence: true });
    else if ((await tiny()).state === 'pulled') await gallery.remove();
    await reached(isPulled ? 'pulled' : 'not_pulled');
  };
  const stall = () => hub.faults.push(...Array.from({ length: 12 }, () => 'stall' as const));
  const done = async (act: string) => {
    const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
    return data.items.filter((entry) => entry.act === act).length;
  };
  const since = async (act: string) => {
    const before = await done(act);
    return async () => (await done(act)) - before;
  };
  const card = (page: Page) => page.getByRole('row', { name: /^Tiny/ });
  const local = { keys: { admin: keys.admin }, at: '/now' };
  const showAll = (page: Page) => switchOn(page, 'Show all');

  // So that no pull has to accept the licence any more.
  await clear(true);
  return [
    {
      name: 'a pull',
      covers: ['pages/now/local-models.tsx POST /admin/v1/local/models/{name}/pull'],
      service: gallery,
      method: 'POST',
      request: /\/pull$/,
      async prepare() {
        await clear(false);
        stall();
        return {
          ...local,
          count: await since('local.pull'),
          press: async (page) => {
            await showAll(page);
            await card(page).getByRole('button', { name: 'Pull Tiny' }).click();
            await dialog(page).getByRole('combobox', { name: 'Build of the engine' }).click();
            await page.getByRole('option', { name: /^none/ }).click();
            await submit('Pull')(page);
          },
          again: submit('Pull'),
          doneWords: (page) =>
            card(page)
              .getByText(/Downloading/)
              .waitFor(),
        };
      },
    },
    {
      name: 'the end of a pull',
      covers: ['pages/now/local-models.tsx POST /admin/v1/local/models/{name}/cancel'],
      service: gallery,
      method: 'POST',
      request: /\/cancel$/,
      isReadAgain: true,
      async prepare() {
        await clear(false);
        stall();
        await gallery.pull({ accept_licence: true });
        return {
          ...local,
          count: await since('local.cancel'),
          press: async (page) => {
            await showAll(page);
            await card(page).getByRole('button', { name: 'Stop pulling Tiny' }).click();
          },
          doneWords: (page) => card(page).getByText('Not pulled').waitFor(),
        };
      },
    },
    {
      name: 'the removal of a local model',
      covers: ['pages/now/local-models.tsx DELETE /admin/v1/local/models/{name}'],
      service: gallery,
      method: 'DELETE',
      request: /\/models\/tiny$/,
      async prepare() {
        await clear(true);
        return {
          ...local,
          count: async () => ((await tiny()).state === 'not_pulled' ? 1 : 0),
          press: async (page) => {
            await showAll(page);
            await card(page).getByRole('button', { name: 'Remove Tiny' }).click();
            await submit('Remove')(page);
          },
          again: submit('Remove'),
          doneWords: (page) => card(page).getByText('Not pulled').waitFor(),
        };
      },
    },
  ];
}
