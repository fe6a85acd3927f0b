import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { LOOKS, openPage } from './browser.ts';
import { assertUsable } from './usable.ts';

const service = await startTestService(wholeFile);

for (const path of ['/docs', '/docs#error-unsupported_field', '/docs/webhooks'])
  for (const look of LOOKS)
    test(`${path} can be read by everyone (${look.scheme}, ${look.viewport.width} wide)`, async (t) => {
      const page = await openPage(t, look);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(`${service.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertUsable(page);
      assert.deepEqual(complaints, []);
    });

test('the search finds a page by words of its text, from the keyboard alone, also below a path', async (t) => {
  const { url } = await startTestService(t, { env: { DARKROOM_PUBLIC_URL: 'https://pictures.example.com/darkroom' } });
  const page = await openPage(t, LOOKS[0]);
  await page.goto(`${url}/darkroom/docs/webhooks`);
  await page.keyboard.press('/');
  await page.keyboard.type('HMAC-SHA256');
  const results = page.locator('search .found a');
  await results.filter({ hasText: 'HMAC-SHA256' }).first().waitFor();
  assert.match((await results.first().textContent()) ?? '', /^Webhooks: /);
  await assertUsable(page);
  await page.getByRole('searchbox').fill('pgbouncer "statements" failover');
  await page.getByText('Nothing found.').waitFor();
  await page.getByRole('searchbox').fill('unsupported_FIELD not');
  await results.filter({ hasText: 'unsupported_field' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/darkroom\/docs#error-unsupported_field$/);
  assert.equal(await page.locator('search .found').isVisible(), false);
});

test('a button copies the example that is shown', async (t) => {
  const page = await openPage(t, LOOKS[0]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${service.url}/docs`);
  const example = page.locator('.tabs').first();
  await example.getByRole('button', { name: 'Copy' }).click();
  await example.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(copied, (await example.locator('[data-language=curl] code').textContent())?.trimEnd());
  assert.ok(copied.startsWith(`curl -sS "${service.url}/v1/images"`), copied);
});

test('a language that is chosen in one example is shown in all of the page, and of the next', async (t) => {
  const page = await openPage(t, LOOKS[1]);
  await page.goto(`${service.url}/docs`);
  const [first, second] = [page.locator('.tabs').first(), page.locator('.tabs').nth(1)];
  assert.equal(await first.locator('[data-language=JavaScript]').isVisible(), false);
  await first.getByRole('tab', { name: 'curl' }).press('ArrowRight');
  await second.locator('[data-language=JavaScript]').waitFor();
  assert.equal(await second.locator('[data-language=curl]').isVisible(), false);
  await assertUsable(page);
  await page.goto(`${service.url}/docs/webhooks`);
  const other = page.locator('.tabs').first();
  await other.locator('[data-language=JavaScript]').waitFor();
  assert.equal(await other.getByRole('tab', { selected: true }).textContent(), 'JavaScript');
  await page.goto(`${service.url}/docs/coming-from`);
  await page.getByRole('tab', { name: 'TypeScript' }).click();
  assert.deepEqual(
    await page.getByRole('tabpanel').evaluateAll((panels) => panels.map((panel) => (panel as { id?: string }).id)),
    ['panel-0-1'],
  );
});

test('without scripts the guide shows each example under its language', async (t) => {
  const page = await openPage(t, { ...LOOKS[0], hasScripts: false });
  await page.goto(`${service.url}/docs`);
  const first = page.locator('.tabs').first();
  assert.deepEqual(await first.locator('.language').allTextContents(), ['curl', 'JavaScript']);
  for (const language of ['curl', 'JavaScript'])
    assert.ok(await first.locator(`[data-language=${language}]`).isVisible(), language);
  assert.equal(await page.locator('search').isVisible(), false);
});
