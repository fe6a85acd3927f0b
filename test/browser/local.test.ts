import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openGallery } from '../helpers/gallery-bench.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, PHONE, switchOn } from './browser.ts';
import { followRequests } from './follow-requests.ts';
import { openInKeptPage } from './kept-page.ts';
import { assertUsable } from './usable.ts';

const gallery = await openGallery(wholeFile);
const { keys, hub, tiny } = gallery;
/** Only models that are here, or failed to be pulled, stand on the page by themselves. */
const showAll = (page: Parameters<typeof switchOn>[0]) => switchOn(page, 'Show all ');

test('an admin accepts the licence, follows a pull, stops it, goes on, removes the model, and reads why a pull failed', async (t) => {
  const page = await openInKeptPage(t, gallery, { keys, at: '/now' });
  await showAll(page);
  const card = page.getByRole('row', { name: /^Tiny/ });
  await card.getByText('Community 1.0').waitFor();
  await card.getByText('3.0 MB').waitFor();
  await page.getByText(/^(The model servers on this machine cannot reach|Servers can reach other machines)/).waitFor();
  // It goes on only after it was stopped.
  hub.faults.push(...Array.from({ length: 12 }, () => 'stall' as const));
  await card.getByRole('button', { name: 'Pull Tiny' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Pull' });
  assert.equal(await confirm.isDisabled(), true);
  await dialog.getByRole('combobox', { name: 'Build of the engine' }).click();
  await page.getByRole('option', { name: /^none/ }).click();
  await dialog.getByRole('checkbox', { name: /I have read the Community 1\.0/ }).check();
  await assertUsable(page);
  await confirm.click();
  await card.getByRole('progressbar', { name: 'Progress of Tiny' }).waitFor({ state: 'attached' });
  await card.getByText(/Downloading · tiny-Q4\.gguf · .* \/ 3\.0 MB/).waitFor();
  await card.getByRole('button', { name: 'Stop pulling Tiny' }).click();
  await card.getByText('Not pulled').waitFor();
  hub.faults.length = 0;
  await card.getByRole('button', { name: 'Pull Tiny' }).click();
  await dialog.getByRole('combobox', { name: 'Build of the engine' }).click();
  await page.getByRole('option', { name: /^none/ }).click();
  await confirm.click();
  await card.getByText('Pulled', { exact: true }).waitFor();
  await card.getByText('local-tiny').waitFor();
  await card.getByRole('button', { name: 'Remove Tiny' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.getByText('Not pulled').waitFor();
  assert.equal((await until(tiny, ({ state }) => state === 'not_pulled')).pulled_at, null);

  hub.faults.push('wrong byte');
  await gallery.pull();
  await until(tiny, ({ failure }) => failure !== null);
  const phone = await openInKeptPage(t, gallery, { keys, at: '/now', viewport: PHONE, scheme: 'light' });
  await phone
    .getByRole('row', { name: /^Tiny/ })
    .getByRole('alert')
    .getByText(/has the digest .* The file was deleted/)
    .waitFor();
  await assertUsable(phone);
});

test('the card of local models asks nothing while nothing changes, and shows by itself what another operator pulls', async (t) => {
  const page = await openConsole(t, gallery, { keys, at: '/now' });
  await page.clock.install();
  const stream = page.waitForResponse(/\/admin\/v1\/events$/);
  await page.reload();
  await showAll(page);
  const card = page.getByRole('row', { name: /^Tiny/ });
  await card.getByText('Not pulled').waitFor();
  await stream;
  const { asked, unanswered } = followRequests(page);
  for (let round = 0; round < 3; round++) {
    await page.clock.runFor(11_000);
    // The browser tells of requests in their order, but not at once.
    await page.evaluate("fetch('healthz').then((answer) => answer.status)");
    await until(
      () => unanswered.size,
      (count) => count === 0,
    );
  }
  const reads = asked.filter((path) => path.endsWith('/local/models'));
  assert.ok(reads.length <= 1, `the stream tells once that it follows, soon after it began: ${asked}`);
  hub.faults.push(...Array.from({ length: 12 }, () => 'stall' as const));
  await gallery.pull({ accept_licence: true });
  await card.getByText(/Downloading · tiny-Q4\.gguf/).waitFor();
  await gallery.cancel();
  await card.getByText('Not pulled').waitFor();
  hub.faults.length = 0;
  await gallery.pull({ accept_licence: true });
  await card.getByText('Pulled', { exact: true }).waitFor();
  await gallery.remove();
  await card.getByText('Not pulled').waitFor();
});
