import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openInKeptPage } from './kept-page.ts';

const service = await startTestService(wholeFile, { env: { DARKROOM_WITHOUT: 'usage,operator' } });

test('views whose operations the operator has closed are not offered, also before the page has asked again', async (t) => {
  const page = await openInKeptPage(t, service, { keys: service.keys });
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('link', { name: 'Money' }).waitFor({ state: 'detached' });
  const offered = ['Make', 'Orders', 'People and keys'];
  assert.deepEqual(await navigation.getByRole('link').allTextContents(), [...offered, 'Reference']);
  for (const place of offered.slice(1)) {
    await navigation.getByRole('link', { name: place }).click();
    const views = page.getByRole('navigation', { name: `Views of ${place}` }).getByRole('link');
    for (const view of await views.allTextContents()) {
      await views.filter({ hasText: view }).click();
      await until(
        () => page.locator('main .mantine-Skeleton-root').count(),
        (count) => count === 0,
      );
      assert.equal(await page.getByRole('alert').count(), 0, view);
    }
  }
  await page.route('**/openapi.json', (route) => route.abort());
  await page.goto(`${service.url}/#/money/usage`);
  await page.reload();
  await page.getByRole('heading', { name: 'This service does not have this page' }).waitFor();
  await page.getByRole('link', { name: 'Go to your first page' }).click();
  await page.getByLabel('Prompt', { exact: true }).waitFor();
});

test('what the settings of the service do not allow is no button: the page says what is missing', async (t) => {
  const plain = await startTestService(t);
  const { key: live } = await plain.issueKey({ mode: 'live', name: 'owner', accountView: true });
  const people = await openInKeptPage(t, plain, { keys: { admin: plain.keys.admin }, at: '/people' });
  await people.getByText('Nobody can be invited: set DARKROOM_OIDC_ISSUER, so that people can sign in.').waitFor();
  assert.equal(await people.getByRole('button', { name: 'Invite' }).count(), 0);
  await people.goto(`${plain.url}/#/people/accounts`);
  await people.getByRole('button', { name: 'Marking of default', exact: true }).click();
  await people.getByText('Signed manifests need DARKROOM_PROVENANCE_CERTIFICATE and its key.').waitFor();
  await people.getByRole('combobox', { name: 'Mark' }).click();
  const signed = people.getByRole('option', { name: 'Signed manifest (C2PA)' });
  await signed.waitFor();
  assert.equal(await signed.getAttribute('data-combobox-disabled'), 'true');
  const buckets = await openInKeptPage(t, plain, { keys: { live }, at: '/people/developers' });
  await buckets.getByText(/^None can be set: .* its operator can set DARKROOM_SECRETS_KEY\.$/).waitFor();
  assert.equal(await buckets.getByRole('button', { name: 'New destination' }).count(), 0);
});
