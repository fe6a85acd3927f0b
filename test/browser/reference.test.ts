import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openPage } from './browser.ts';

const service = await startTestService(wholeFile);

test('the reference shows the operations of the document, and loads nothing from elsewhere', async (t) => {
  const page = await openPage(t);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${service.url}/docs/reference/`);
  const { body } = await service.call(null, 'GET', '/openapi.json');
  const summary = body.paths['/v1/images']!.post!.summary;
  await page.getByText(summary, { exact: true }).first().waitFor();
  const elsewhere = asked.filter((url) => !/^(?:data|blob):/.test(url) && new URL(url).origin !== service.url);
  assert.deepEqual(elsewhere, []);
  assert.ok(asked.includes(`${service.url}/openapi.json`), asked.join('\n'));
});
