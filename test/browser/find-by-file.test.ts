import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

test('a file leads to its order, chosen or dropped, and another one is said to be unknown', async (t) => {
  const service = await startSwiftService(t);
  const { keys, make } = service;
  const ordered = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a lighthouse' });
  const page = await openInKeptPage(t, service, { keys, at: '/' });
  const file = Buffer.from(await (await fetch(ordered.outputs[0]!.url)).arrayBuffer());
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  const choose = page.getByRole('search', { name: 'Filters' }).locator('input[type="file"]');
  await choose.setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: Buffer.concat([file, Buffer.of(0)]) });
  await page.getByRole('alert').getByText('No order of this key made other.png').waitFor();
  await assertUsable(page);
  await choose.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: file });
  await page.waitForURL(`**/history/${ordered.task_id}`);
  await page.getByRole('dialog').getByText('Timeline').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob('${file.toString('base64')}'), (letter) => letter.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], 'mine.png', { type: 'image/png' }));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    if (document.body.dispatchEvent(new DragEvent('dragover', init))) throw new Error('the page takes no files');
    document.body.dispatchEvent(new DragEvent('drop', init));
  })()`);
  await page.waitForURL(`**/history/${ordered.task_id}`);
  await page.getByRole('dialog').getByText('Timeline').waitFor();
  assert.ok(
    sent.every((request) => !/^POST /.test(request)),
    'only the hash is sent',
  );
});
