import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { multiplyTask } from '../helpers/multiply-task.ts';
import { startTestService } from '../helpers/service.ts';
import { usualTime } from '../helpers/usual-time.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { LOOKS, openConsole, openPage, PHONE, untilPictureShown } from './browser.ts';
import { followRequests } from './follow-requests.ts';
import { openInKeptPage } from './kept-page.ts';
import { assertUsable } from './usable.ts';
import { filterBy, toggleFilters } from './wall-filters.ts';

const service = await startTestService(wholeFile);
const { keys, call, make, database } = service;
const order = (path: string, body: object) => make(keys.test, path, body);
const [grid, film, failed] = await Promise.all([
  order('/v1/images', { model_id: 'sketch-grid', prompt: 'a lighthouse' }),
  order('/v1/videos', {
    model_id: 'sketch-motion',
    prompt: 'a boat',
    duration: 1,
    resolution: '360p',
    end_user: 'ann',
    generate_audio: true,
  }),
  order('/v1/images', { model_id: 'sketch', prompt: 'a castle', simulate: { outcome: 'content_policy' } }),
]);
const upscaled = await order('/v1/images/actions', { parent_task_id: grid.task_id, action: 'upscale', index: 2 });

test('filters narrow the wall, and what fits none of them can be undone', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/' });
  await page.getByText('End of list: 4').waitFor();
  await toggleFilters(page);
  await page.getByText('Videos', { exact: true }).click();
  await page.getByText('End of list: 1').waitFor();
  await page.getByRole('link', { name: /^Video, Succeeded.*a boat/ }).waitFor();
  await page.getByLabel('End user').fill('nobody');
  await page.getByText('No orders match these filters').waitFor();
  await toggleFilters(page);
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await filterBy(page, 'Status', 'Failed');
  await page.getByText('End of list: 1').waitFor();
  await page.getByRole('link', { name: /^Image, Failed.*a castle/ }).waitFor();
  const goTo = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  await goTo('Money');
  await page.getByRole('table', { name: 'Ledger' }).waitFor();
  await goTo('Make');
  await page.getByText('End of list: 1').waitFor();
});

test('a search finds prompts, models and ids, and its address shows the same after a reload and to others', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/' });
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('Castle a');
  await page.getByText('End of list: 1').waitFor();
  await page.getByRole('link', { name: /^Image, Failed.*a castle/ }).waitFor();
  await toggleFilters(page);
  await page.getByText('Images', { exact: true }).click();
  await toggleFilters(page);
  await page.waitForURL(/type=image&search=Castle\+a$/);
  await page.reload();
  await page.getByText('End of list: 1').waitFor();
  assert.equal(await search.inputValue(), 'Castle a');
  const other = await openInKeptPage(t, service, { keys, at: new URL(page.url()).hash.slice(1), viewport: PHONE });
  await other.getByText('End of list: 1').waitFor();
  await assertUsable(other);

  await search.fill('motion');
  await page.getByText('No orders match these filters').waitFor();
  await toggleFilters(page);
  await page.getByText('All', { exact: true }).click();
  await toggleFilters(page);
  await page.getByRole('link', { name: /^Video, Succeeded.*a boat/ }).click();
  await page.getByRole('dialog').getByText('Timeline').waitFor();
  await page.reload();
  await page.getByRole('dialog').getByText('Timeline').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('End of list: 1').waitFor();
  await page.waitForURL(/#\/\?search=motion$/);
  await search.fill(upscaled.task_id);
  await page.getByRole('link', { name: /^Image, Succeeded/ }).waitFor();
  await page.getByText('End of list: 1').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('End of list: 4').waitFor();
  await page.waitForURL(/#\/$/);
});

test('pages at rest ask for nothing, and show what another tab orders', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  await make(key, '/v1/images', { model_id: 'sketch', prompt: 'a first mill' });
  const page = await openConsole(t, service, { keys: { test: key }, at: '/' });
  await page.clock.install();
  await page.reload();
  await page.getByRole('link', { name: /^Image, Succeeded.*a first mill/ }).waitFor();
  const { asked, unanswered } = followRequests(page);
  const rest = async () => {
    // What the last order still sets off.
    await page.clock.runFor(2_000);
    await until(
      async () => unanswered.size,
      (left) => left === 0,
    );
    asked.length = 0;
    await page.clock.runFor(60_000);
    assert.deepEqual(asked, []);
  };
  await rest();

  const other = await page.context().newPage();
  await other.goto(`${service.url}/`);
  await other.getByLabel('Prompt', { exact: true }).fill('a second mill');
  await other.getByRole('button', { name: 'Draw for nothing', exact: true }).click();
  await page.getByRole('link', { name: /^Image, Succeeded.*a second mill/ }).waitFor();
  await other.close();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
  await page.getByRole('table', { name: 'Ledger' }).waitFor();
  await rest();
});

test('a film says that it has sound, and plays while it is pointed at, unless the reader wants stillness', async (t) => {
  const page = await openConsole(t, service, { keys, at: '/' });
  const tile = page.getByRole('link', { name: /^Video, Succeeded.*with sound.*a boat/ });
  await tile.hover();
  assert.equal(await tile.locator('video').count(), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.getByRole('searchbox', { name: 'Search' }).hover();
  await tile.hover();
  await tile.locator('video').waitFor();
  await until(
    () => page.evaluate<number>("document.querySelector('a video')?.currentTime ?? 0"),
    (time) => time > 0,
  );
});

test('a failed order says why and what to do, is ordered again, and deleted', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: `/history/${failed.task_id}` });
  const detail = page.getByRole('dialog');
  await detail.getByText('The order failed').waitFor();
  await detail.getByText(/Rephrase the prompt.*Nothing was charged/).waitFor();
  await detail.getByRole('button', { name: /^Order again.*\$0\.01$/ }).click();
  await page.getByRole('img', { name: 'Image: a castle' }).waitFor();
  const { data: made } = await call(keys.test, 'GET', '/v1/images?limit=1');
  assert.deepEqual([made.items[0].input.prompt, made.items[0].status], ['a castle', 'succeeded']);

  await page.goto(`${service.url}/#/history/${made.items[0].task_id}`);
  await detail.getByRole('button', { name: 'Delete' }).click();
  const gone = await until(
    () => call(keys.test, 'GET', made.items[0].urls.self),
    ({ status }) => status === 404,
  );
  assert.equal(gone.error.code, 'task_not_found');
  await page.getByText('End of list: 4').waitFor();
});

test('a follow-up is ordered again with what its action accepts', async (t) => {
  const { key } = await service.issueKey({ mode: 'test', name: 'upscaler' });
  const sheet = await service.make(key, '/v1/images', { model_id: 'sketch-grid', prompt: 'a harbour' });
  const request = { parent_task_id: sheet.task_id, action: 'upscale', index: 3 };
  const upscaled = await service.make(key, '/v1/images/actions', request);
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: `/history/${upscaled.task_id}` });
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Order again.*\$/ })
    .click();
  await page.waitForURL((url) => !url.hash.endsWith(upscaled.task_id));
  const { data: again } = await call(key, 'GET', `/v1/images/${page.url().split('/').at(-1)}`);
  assert.deepEqual([again.parent_task_id, again.action, again.input], [sheet.task_id, 'upscale', upscaled.input]);
});

test('an order under way shows how far it is, and is canceled', async (t) => {
  const { data: stuck } = await call(keys.test, 'POST', '/v1/images', {
    model_id: 'sketch',
    prompt: 'a windmill',
    simulate: { outcome: 'stuck' },
  });
  const page = await openInKeptPage(t, service, { keys, at: '/', viewport: PHONE });
  await page.getByRole('link', { name: /a windmill/ }).click();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('dialog').getByText('Canceled').first().waitFor();
  await page.getByRole('dialog').getByText('Nothing was charged', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: /^Image, Canceled.*a windmill/ }).waitFor();
  await call(keys.test, 'DELETE', stuck.urls.self);
});

test('a picture leads to what it was made from, and to what was made from it', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: `/history/${upscaled.task_id}` });
  await page.getByText('Made from', { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'a lighthouse' }).click();
  await page.getByText('1 follow-up').waitFor();
  assert.ok(page.url().endsWith(grid.task_id));
});

test('an order that waits for another leads to it', async (t) => {
  const stuck = { model_id: 'sketch-grid', prompt: 'a mill', simulate: { outcome: 'stuck' } };
  const { data: parent } = await call(keys.test, 'POST', '/v1/images', stuck);
  const wish = { parent_task_id: parent.task_id, action: 'upscale', index: 1, wait_for_parent: true };
  const { data: child } = await call(keys.test, 'POST', '/v1/images/actions', wish);
  t.after(async () => {
    await call(keys.test, 'POST', parent.urls.cancel);
    for (const { task_id: taskId, urls } of [child, parent]) {
      await until(
        async () => (await call(keys.test, 'GET', `/v1/images/${taskId}`)).data.status,
        (status) => status === 'canceled' || status === 'failed',
      );
      await call(keys.test, 'DELETE', urls.self);
    }
  });
  const page = await openInKeptPage(t, service, { keys, at: `/history/${child.task_id}` });
  const awaited = page.getByRole('dialog').locator('figure', { hasText: 'Waits for' });
  await awaited.getByRole('link', { name: 'a mill' }).click();
  await page.waitForURL((url) => url.hash.includes(parent.task_id));
});

test('the arrow keys step through the orders of the list, but not while something else needs them', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/?type=image' });
  await page.getByText('End of list: 3').waitFor();
  const links = await page.locator('a[href^="#/history/"]').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  await page.locator(`a[href="${addresses[0]}"]`).click();
  await page.getByRole('dialog').getByText('Timeline').waitFor();
  const at = (place: number) => page.waitForURL((url) => url.hash.startsWith(`${addresses[place]}?type=image`));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await at(1);
  await page.keyboard.press('ArrowRight');
  await at(2);
  await page.getByRole('button', { name: 'Newer order' }).click();
  await at(1);
  await page.keyboard.press('Escape');
  await page.getByText('End of list: 3').waitFor();
});

test('the keys s and t star and tag the open order, and the list shows and filters by tags', async (t) => {
  const tagsOf = async (taskId: string) => (await call(keys.test, 'GET', `/v1/images/${taskId}/tags`)).data.tags;
  t.after(async () => {
    for (const { task_id: id } of [grid, failed, upscaled])
      assert.equal((await call(keys.test, 'PUT', `/v1/images/${id}/tags`, { tags: [] })).status, 200);
  });
  const page = await openInKeptPage(t, service, { keys, at: '/?type=image' });
  await page.getByRole('link', { name: /^Image, Failed.*a castle/ }).click();
  const drawer = page.getByRole('dialog');
  const star = drawer.getByRole('button', { name: 'Favourite (s key)' });
  const field = drawer.getByRole('combobox', { name: 'Tags of this order' });
  await drawer.getByRole('button', { name: 'Tags', exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Favourite (s key)', disabled: false }).waitFor();
  await page.keyboard.press('s');
  await drawer.getByRole('button', { name: 'Favourite (s key)', pressed: true }).waitFor();
  await page.keyboard.press('t');
  await field.fill('heroes');
  await field.press('Enter');
  await field.press('s');
  await field.press('Escape');
  await drawer.getByRole('link', { name: 'Orders with the tag heroes' }).waitFor();
  assert.deepEqual(
    await until(
      () => tagsOf(failed.task_id),
      (tags) => tags.length === 2,
    ),
    ['favourite', 'heroes'],
  );
  await assertUsable(page);

  await page.keyboard.press('ArrowRight');
  await page.waitForURL((url) => !url.hash.includes(failed.task_id));
  await drawer.getByRole('button', { name: 'Favourite (s key)', pressed: false }).waitFor();
  const next = new URL(page.url()).hash.includes(grid.task_id) ? grid : upscaled;
  await star.click();
  await until(
    () => tagsOf(next.task_id),
    (tags) => tags.length === 1,
  );
  await call(keys.test, 'PUT', `/v1/images/${next.task_id}/tags`, { tags: ['by a program', 'favourite'] });
  const said = { status: 400, code: 'invalid_request', message: 'This is refused.', param: null };
  const error = { ...said, details: [], retryable: false };
  await page.route('**/tags', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 400, json: { error } }) : route.continue(),
  );
  await page.keyboard.press('s');
  await drawer.getByText('The tags were not changed').waitFor();
  await drawer.getByRole('button', { name: 'Favourite (s key)', pressed: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.keyboard.press('s');
  await until(
    () => tagsOf(next.task_id),
    (tags) => tags.length === 1,
  );
  assert.deepEqual(await tagsOf(next.task_id), ['by a program'], 'a tag that the page had not read stays');
  await page.keyboard.press('ArrowLeft');
  await drawer.getByRole('link', { name: 'Orders with the tag heroes' }).click();

  await page.waitForURL(/#\/\?tag=heroes$/);
  await page.getByText('End of list: 1').waitFor();
  await page.reload();
  await page.getByText('End of list: 1').waitFor();
  const tile = page.getByRole('link', { name: /^Image, Failed.*a castle/ });
  await tile.getByRole('img', { name: 'Favourite' }).waitFor();
  await filterBy(page, 'Tag', '★ Favourites (1)');
  await page.waitForURL(/#\/\?tag=favourite$/);
  await page.getByText('End of list: 1').waitFor();
  await tile.click();
  const counted = page.waitForResponse(/\/v1\/tags\?/);
  await star.click();
  await counted;
  await page.keyboard.press('Escape');
  await tile.getByRole('img', { name: 'Favourite' }).waitFor({ state: 'detached' });
  await tile.waitFor();
  await filterBy(page, 'Tag', 'heroes (1)');
  await page.getByText('End of list: 1').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('End of list: 4').waitFor();
});

test('a result is shared by a link that opens without a key, is listed, and is revoked', async (t) => {
  const page = await openInKeptPage(t, service, {
    keys,
    at: `/history/${grid.task_id}`,
    scheme: 'light',
    viewport: PHONE,
  });
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this image' });
  await dialog.getByText('There are no links to this result.').waitFor();
  await dialog.getByRole('combobox', { name: 'Works for' }).click();
  await page.getByRole('option', { name: 'One day' }).click();
  await dialog.getByRole('checkbox', { name: 'Show the prompt, too' }).check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByText('The link is ready. Copy it below.').waitFor();
  const address = await dialog.getByRole('textbox', { name: /^Link, until/ }).inputValue();
  await assertUsable(page);

  const shown = await openPage(t, { scheme: 'dark', viewport: PHONE });
  await shown.goto(address);
  await shown.getByRole('img', { name: 'a lighthouse' }).waitFor();
  await untilPictureShown(shown, 'img');
  await assertUsable(shown);

  await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
  await dialog.getByText('There are no links to this result.').waitFor();
  await shown.reload();
  await shown.getByText('This link has expired or was revoked.').waitFor();
  await assertUsable(shown);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('dialog').getByText('Timeline').waitFor();
});

test('the results of a filtered wall are shared by one link, whose page shows them all without a key', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/', scheme: 'light', viewport: PHONE });
  await page.getByText(/^End of list/).waitFor();
  const button = page.getByRole('button', { name: 'Share these results' });
  assert.equal(await button.count(), 0, 'the whole wall is not shared by one press');
  await page.getByRole('searchbox', { name: 'Search' }).fill('boat');
  await page.getByText('End of list: 1').waitFor();
  await button.click();
  const alone = page.getByRole('dialog', { name: 'Share these results' });
  await alone.getByText('There are no links to this result.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await filterBy(page, 'Status', 'Succeeded');
  await page.getByText('End of list: 3').waitFor();
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Share these results' });
  await dialog.getByText('can see and download these 3 results').waitFor();
  await dialog.getByRole('checkbox', { name: 'Show the prompt, too' }).check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const address = await dialog.getByRole('textbox', { name: /^Link, until/ }).inputValue();
  await dialog.getByText(/3 results, with the prompt/).waitFor();
  await assertUsable(page);

  const shown = await openPage(t, { scheme: 'dark', viewport: PHONE });
  await shown.goto(address);
  await shown.getByRole('heading', { name: 'Shared images and videos (3)' }).waitFor();
  const pictures = shown.getByRole('img', { name: 'a lighthouse' });
  assert.equal(await pictures.count(), 2);
  await pictures.last().scrollIntoViewIfNeeded();
  await untilPictureShown(shown, 'img');
  await assertUsable(shown);
  await pictures.first().click();
  await shown.waitForURL(/\/files\/\d\?/);

  await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
  await dialog.getByText('There are no links to several results.').waitFor();
  await shown.goto(address);
  await shown.getByText('This link has expired or was revoked.').waitFor();
});

for (const { scheme, viewport } of LOOKS) {
  test(`a film in full can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const page = await openInKeptPage(t, service, { keys, at: `/history/${film.task_id}`, scheme, viewport });
    await page.getByText('Timeline').waitFor();
    await assertUsable(page);
  });
}

test('a hundred thousand orders are scrolled through without delay, and the oldest is found by its day', async (t) => {
  const { key } = await service.issueKey({ mode: 'test', readsPerMinute: 0 });
  const first = await make(key, '/v1/images', { model_id: 'sketch', prompt: 'newest', resolution: '0.5K' });
  const everyMs = 20_000;
  await multiplyTask(database, first.task_id, {
    count: 100_000,
    everyMs,
    change: (index) => ({ input_json: JSON.stringify({ prompt: `number ${index}` }) }),
  });
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/' });
  await page.getByRole('link', { name: /^Image, Succeeded.*newest/ }).waitFor();
  const height = () => page.evaluate<number>('document.documentElement.scrollHeight');
  let slowest = 0;
  for (let step = 0; step < 12; step++) {
    const before = await height();
    const took = await usualTime(async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await until(height, (now) => now > before);
    });
    slowest = Math.max(slowest, took);
  }
  assert.ok(slowest < 2_000, `the slowest page of the list took ${Math.round(slowest)} ms`);
  const tiles = await page.locator('a[href^="#/history/"]').count();
  assert.ok(tiles > 10 && tiles < 80, `only what is in sight is there: ${tiles} tiles`);

  const oldest = new Date(Date.parse(first.created_at) - 100_000 * everyMs);
  const day = oldest.toISOString().slice(0, 10);
  await page.evaluate('scrollTo(0, 0)');
  await toggleFilters(page);
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Between two days' }).click();
  await page.getByLabel('Last day').fill(day);
  await toggleFilters(page);
  await page
    .getByRole('link', { name: /number 9[5-9][0-9]{3}/ })
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('number 60123');
  await page.getByRole('link', { name: /number 60123/ }).waitFor();
  await page.getByText('End of list: 1').waitFor();
});
