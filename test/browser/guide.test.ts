import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../service.ts';
import { wholeFile } from '../whole-file.ts';
import { PHONE, WIDE } from './browser.ts';
import { launchBrowser } from './launch-browser.ts';
import { assertAccessible } from './usable.ts';

const service = await startTestService(wholeFile);
const browser = await launchBrowser();
wholeFile.after(() => browser.close());

for (const path of ['/docs', '/docs#error-unsupported_field', '/docs/webhooks']) {
  for (const colorScheme of ['dark', 'light'] as const) {
    for (const viewport of [WIDE, PHONE]) {
      test(`${path} can be read by everyone (${colorScheme}, ${viewport.width} wide)`, async (t) => {
        const context = await browser.newContext({ colorScheme, viewport });
        t.after(() => context.close());
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        await page.goto(`${service.url}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(overflow, 0, 'the page scrolls sideways');
        await assertAccessible(page);
        assert.deepEqual(complaints, []);
      });
    }
  }
}
