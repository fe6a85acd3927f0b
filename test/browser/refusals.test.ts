import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openInKeptPage } from './kept-page.ts';
import { untilPriced } from './order-form.ts';

const service = await startTestService(wholeFile);
const { keys } = service;
const GONE = { state: 'detached' } as const;

test('a refusal names the field as the form does, and goes when that field is changed', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a harbour');
  const image = await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a blue house' });
  const file = Buffer.from(await (await fetch(image.outputs[0].url)).arrayBuffer());
  await page.getByRole('button', { name: 'Add: Reference images' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Upload a file' }).click();
  await (await chooser).setFiles({ name: 'house.png', mimeType: 'image/png', buffer: file });
  await page.getByRole('button', { name: 'Remove Reference images 1' }).waitFor();
  const create = page.getByRole('button', { name: 'Draw for nothing', disabled: false });
  await create.waitFor();
  await untilPriced(page);
  const [upload] = /file_\w+/.exec((await page.locator('pre').textContent()) ?? '') ?? [];
  await service.call(keys.test, 'DELETE', `/v1/files/${upload}`);
  await create.click();
  const refusal = page.getByText('The order was refused');
  const fault = page.getByText(/^Reference images 1: /).first();
  await refusal.waitFor();
  await fault.waitFor();
  await page.getByLabel('Prompt', { exact: true }).fill('a harbour at night');
  await fault.waitFor();
  await page.getByRole('button', { name: 'Remove Reference images 1' }).click();
  await refusal.waitFor(GONE);
  await fault.waitFor(GONE);
});

test('a reference that a field does not accept is told, and a link to a task is the task', async (t) => {
  const image = await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a blue house' });
  const page = await openInKeptPage(t, service, { keys });
  const drop = (url: string, file = '') =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      if ('${file}' !== '') dataTransfer.items.add(new File(['x'], '${file}', { type: 'video/mp4' }));
      else dataTransfer.setData('text/uri-list', '${url}');
      const tray = document.querySelector('fieldset[aria-label="Reference images"]');
      tray.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
  await page.getByRole('button', { name: 'Add: Reference images' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Upload a file' }).click();
  await (await chooser).setFiles({ name: 'README.md', mimeType: 'text/markdown', buffer: Buffer.from('# Hello') });
  await page.getByText('README.md was not added: this field accepts images.').waitFor();
  await drop('', 'film.mp4');
  await page.getByText('film.mp4 was not added: this field accepts images.').waitFor();
  await drop(`${service.url}/#/`);
  await page.getByText('This link leads to a page of the console, not to a file.').waitFor();
  await drop(`${service.url}/#/t/vid_01ABC`);
  await page.getByText('The video was not added: this field accepts images.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Remove Reference/ }).count(), 0);

  await drop(`${service.url}/#/t/${image.task_id}`);
  await page.getByRole('button', { name: 'Remove Reference images 1' }).waitFor();
  await page.locator('pre', { hasText: `"task:${image.task_id}"` }).waitFor({ state: 'attached' });
  await page.getByText('was not added').waitFor(GONE);
});
