import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { switchOn, untilNextPicture, untilPictureShown } from './browser.ts';
import { chooseModel } from './choose-model.ts';
import { openInKeptPage } from './kept-page.ts';

const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const { keys, call } = service;
const options = { name: 'For developers' };

test('the options of an order stand in its request as code, go with it, and are kept with it', async (t) => {
  const told = Promise.withResolvers<{ readonly type: string; readonly data: { readonly task_id: string } }>();
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      told.resolve(JSON.parse(Buffer.concat(chunks).toString()));
    });
  }).listen(0, '127.0.0.1');
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  await new Promise((resolve) => receiver.once('listening', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

  const page = await openInKeptPage(t, service, { keys });
  await chooseModel(page, 'Sketch Grid');
  await page.getByLabel('Prompt', { exact: true }).fill('a red house');
  await page.getByRole('button', options).click();
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('textbox', { name: 'Price limit' }).fill('0.50');
  await page.getByRole('textbox', { name: 'Your customer’s id' }).fill('ann');
  await page.getByRole('textbox', { name: 'Webhook URL' }).fill(hook);
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox', { name: 'Name of note 1' }).fill('cart');
  await page.getByRole('textbox', { name: 'Value of note 1' }).fill('1042');
  const sent = { max_price: '0.50', end_user: 'ann', webhook_url: hook, metadata: { cart: '1042' } };
  const code = (await page.locator('pre').textContent()) ?? '';
  const body = JSON.parse(code.slice(code.indexOf('{'), code.lastIndexOf('}') + 1));
  assert.deepEqual(body, { model_id: 'sketch-grid', prompt: 'a red house', ...sent });

  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await untilPictureShown(page);
  const taskId = page.url().split('/').at(-1) ?? '';
  const { data: task } = await call(keys.test, 'GET', `/v1/images/${taskId}`);
  assert.deepEqual([task.end_user, task.metadata], ['ann', { cart: '1042' }]);
  const { type, data } = await told.promise;
  assert.deepEqual([type, data.task_id], ['task.succeeded', taskId]);
  await page.goto(`${service.url}/#/people/developers`);
  const row = page.getByRole('row', { name: /task\.succeeded/ });
  await row.getByText('Delivered').waitFor();
  await row.getByText(hook).waitFor();

  await page.goto(`${service.url}/#/t/${taskId}`);
  await page.getByRole('button', options).getByText('3 set').waitFor();
  await chooseModel(page, 'Seedream 4.5');
  await page.getByRole('button', options).getByText('3 set').waitFor();
  for (const name of [/^Again with another seed/, /^Reroll/, /^Upscale of tile 2/]) {
    await untilNextPicture(page, () => page.getByRole('button', { name }).click({ force: true }));
    const { data: made } = await call(keys.test, 'GET', `/v1/images/${page.url().split('/').at(-1)}`);
    assert.deepEqual([made.end_user, made.metadata], ['ann', { cart: '1042' }]);
  }
});

test('an order dearer than its price limit is not placed, and the limit is taken away with one press', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a red house');
  await page.getByTestId('price').filter({ hasText: '$0.01' }).waitFor();
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('textbox', { name: 'Price limit' }).fill('0.002');
  const note = page.getByRole('alert').filter({ hasText: 'It costs $0.01, more than the limit of $0.002.' });
  await note.waitFor();
  assert.ok(await page.getByRole('button', { name: 'Draw for nothing' }).isDisabled());
  await note.getByRole('button', { name: 'Remove the limit' }).click();
  await note.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
});

test('an invalid option is reported before the order is placed', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a red house');
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', options).click();
  const wrong = async (text: string, act: () => Promise<void>) => {
    await act();
    await page.getByRole('alert').filter({ hasText: text }).first().waitFor();
    assert.ok(await page.getByRole('button', { name: 'Draw for nothing' }).isDisabled(), text);
  };
  const limit = page.getByRole('textbox', { name: 'Price limit' });
  await wrong('Enter an amount in dollars', () => limit.fill('much'));
  await limit.fill('');
  const hook = page.getByRole('textbox', { name: 'Webhook URL' });
  await wrong('A URL begins with https:// or http://', () => hook.fill('shop.example'));
  await hook.fill('');
  for (const place of [1, 2]) {
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('textbox', { name: `Value of note ${place}` }).fill('1042');
    await wrong('A value needs a name', async () => {});
    await page.getByRole('textbox', { name: `Name of note ${place}` }).fill('cart');
  }
  await wrong('Each name can be used only once', async () => {});
  await page.getByRole('button', { name: 'Remove note 2' }).click();
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
});

test('a test key can request an explanation of how the prompt was understood', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByLabel('Prompt', { exact: true }).fill('two red boats and a zorblax at dusk');
  await page.getByRole('button', options).click();
  await switchOn(page, 'Explain how the prompt was understood');
  await page.locator('pre').filter({ hasText: '"explain": true' }).waitFor();
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await untilPictureShown(page);
  await page.getByText('How the prompt was understood', { exact: true }).click();
  const { data: task } = await call(keys.test, 'GET', `/v1/images/${page.url().split('/').at(-1)}`);
  const told: readonly string[] = task.outputs[0].explanation;
  assert.ok(told.length > 0);
  for (const sentence of told) await page.getByRole('listitem').filter({ hasText: sentence }).first().waitFor();
  await page.goto(`${service.url}/#/history/${task.task_id}`);
  await page.getByRole('dialog').getByText('How the prompt was understood').waitFor();
});
