import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Request } from 'playwright-core';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openInKeptPage } from './kept-page.ts';

const ROLES = ['viewer', 'finance', 'creator', 'manager'].map((role) => `${role}=${role}@default`);
const provider = await startOidcProvider(wholeFile);
const service = await startTestService(wholeFile, {
  env: { ...provider.env, DARKROOM_OIDC_ROLES: [...ROLES, 'operator=operator', 'owner=owner'].join(',') },
  service: { engines: [createSwiftEngine()] },
});
provider.serve(service.url);
await service.make(service.keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a kettle', resolution: '0.5K' });

/** The places of the navigation by role. The first one opens after the sign-in. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  viewer: ['Orders'],
  finance: ['Money'],
  creator: ['Make', 'Orders', 'Money'],
  manager: ['Make', 'Orders', 'Money', 'People and keys'],
  operator: ['Now', 'Orders', 'Money', 'People and keys'],
  owner: ['Now', 'Orders', 'Money', 'People and keys'],
};

for (const [role, names] of Object.entries(PLACES))
  test(`a person with the role ${role} begins at a place of their own, and no view asks for what the role may not`, async (t) => {
    provider.people.set(role, {
      sub: role,
      email: `${role}@example.com`,
      email_verified: true,
      name: role,
      groups: [role],
    });
    provider.signsIn = role;
    const page = await openInKeptPage(t, service);
    const refused: string[] = [];
    const open = new Set<Request>();
    page.on('request', (request) => {
      // Streams of events stay open.
      if (!request.url().includes('/events')) open.add(request);
    });
    page.on('requestfinished', (request) => open.delete(request));
    page.on('requestfailed', (request) => open.delete(request));
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if ([401, 403].includes(response.status()))
        refused.push(`${response.status()} ${response.request().method()} ${pathname}`);
    });
    const untilLoaded = async () => {
      await until(
        async () => open.size + (await page.locator('main .mantine-Skeleton-root').count()),
        (count) => count === 0,
      );
    };
    await page.getByRole('link', { name: 'Sign in with your work account' }).click();
    const navigation = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await navigation.filter({ hasText: names[0] ?? '' }).waitFor();
    assert.deepEqual(await navigation.allTextContents(), [...names, 'Reference']);
    assert.equal(await navigation.and(page.locator('[aria-current="page"]')).textContent(), names[0]);
    for (const name of names) {
      await navigation.filter({ hasText: name }).click();
      await untilLoaded();
      const views = page.getByRole('navigation', { name: `Views of ${name}` }).getByRole('link');
      for (const view of await views.allTextContents()) {
        await views.filter({ hasText: view }).first().click();
        await untilLoaded();
      }
    }
    assert.deepEqual([...new Set(refused)], []);
    assert.equal(await page.getByText('may not do this').count(), 0);
  });
