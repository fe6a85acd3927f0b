import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../helpers/whole-file.ts';
import { PHONE, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

/** Make in little room: the form as a bar, and what lies over pictures. */

const service = await startSwiftService(wholeFile);

async function madeTwo() {
  const { key } = await service.issueKey({ mode: 'test' });
  for (const prompt of ['a fox', 'an owl']) await service.make(key, '/v1/images', { model_id: 'sketch', prompt });
  return key;
}

for (const viewport of [PHONE, { width: 820, height: 1180 }])
  test(`${viewport.width} pixels wide, Make is a prompt, a price and a button above one's own work`, async (t) => {
    const page = await openInKeptPage(t, service, { keys: { test: await madeTwo() }, viewport });
    const picture = page.getByRole('link', { name: /an owl/ });
    await picture.waitFor();
    const prompt = page.getByLabel('Prompt', { exact: true });
    await prompt.fill('a hen');
    const order = page.getByRole('button', { name: 'Draw for nothing' });
    await page.getByTestId('price').filter({ hasText: '$0.01' }).waitFor();
    const ends = (await order.boundingBox())?.y ?? 0;
    const begins = (await picture.boundingBox())?.y ?? 0;
    assert.ok(ends < begins && begins < 520, `the button at ${ends}, the work at ${begins}`);
    const model = page.getByRole('button', { name: 'Model: Sketch' });
    assert.equal(await model.count(), 0);
    const settings = page.getByRole('button', { name: /^Settings/ });
    await settings.click();
    await model.waitFor();
    await page.locator('label', { hasText: /^2K$/ }).click();
    await page.getByTestId('price').filter({ hasText: '$0.02' }).waitFor();
    await assertUsable(page);
    await settings.click();
    await model.waitFor({ state: 'detached' });
    await order.click();
    await untilPictureShown(page);
  });

test('a result on the wall offers itself again, four more and a film, each at its price', async (t) => {
  const key = await madeTwo();
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  const wall = page.getByRole('region', { name: 'Your work' });
  const offer = (name: string) => wall.getByRole('button', { name, exact: true });
  await wall.getByRole('link', { name: /an owl/ }).hover();
  await offer('×4, $0.04: an owl').waitFor();
  await offer('Move, $0.10: an owl').waitFor();
  await offer('Again, $0.01: an owl').click();
  await untilPictureShown(page);
  assert.equal((await service.call(key, 'GET', '/v1/images')).data.items.length, 3);
  await wall.getByRole('link', { name: /a fox/ }).hover();
  await offer('×4, $0.04: a fox').click();
  await page.waitForURL(/#\/light\/bat_/);
  await page.getByText('4 of 4 done').waitFor();
});

test('a tile too small for its offers shows them in a menu, also after a long press', async (t) => {
  const key = await madeTwo();
  const page = await openInKeptPage(t, service, { keys: { test: key }, viewport: PHONE });
  const tile = page.getByRole('link', { name: /an owl/ });
  await untilPictureShown(page, '[data-tile] img');
  await tile.dispatchEvent('touchstart');
  const menu = page.getByRole('button', { name: 'Order from this: an owl' });
  await menu.waitFor();
  await tile.dispatchEvent('touchend');
  await menu.click();
  await page.getByRole('button', { name: 'Move, $0.10: an owl' }).waitFor();
  await assertUsable(page);
  await page.getByRole('button', { name: 'Again, $0.01: an owl' }).click();
  await untilPictureShown(page);
  assert.equal((await service.call(key, 'GET', '/v1/images')).data.items.length, 3);
});

test('the note of a mark stands below the compared pictures', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: await madeTwo() } });
  const tile = page.getByRole('link', { name: /an owl/ });
  await tile.focus();
  await page.keyboard.press('v');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('v');
  await page.keyboard.press('x');
  await page.keyboard.press('c');
  const divider = page.getByRole('slider', { name: 'Divider between the two' });
  const note = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo' }) });
  await note.waitFor();
  const [picture, told] = [await divider.boundingBox(), await note.boundingBox()];
  assert.ok(picture !== null && told !== null && told.y >= picture.y + picture.height);
});
