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
