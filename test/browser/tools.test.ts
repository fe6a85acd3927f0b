import { test } from 'node:test';
import { wholeFile } from '../helpers/whole-file.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

/** Tools on the finished image or video, each with its price. */

const service = await startSwiftService(wholeFile);
const { keys, make } = service;

test('the tools stand on the finished image, each with its price, and a cut-out is ordered with one press', async (t) => {
  const fox = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '96x64' });
  const page = await openInKeptPage(t, service, { keys, at: `/t/${fox.task_id}` });
  for (const [name, action] of [
    ['Cut out', 'cut_out'],
    ['Make it speak', 'speak'],
    ['Enlarge 2×', 'enlarge'],
  ] as const) {
    const offer = fox.available_actions.find((one) => one.action === action);
    const button = page.getByRole('button', { name: new RegExp(`^${name}`) });
    await button.filter({ hasText: String(Number(offer?.price)) }).waitFor();
  }
  await page.getByRole('button', { name: /^Cut out/ }).click();
  await page.getByText(/bria-rmbg-2 · 96 × 64/).waitFor();
});

test('a voice is asked for in the form of the tool, which has the video already', async (t) => {
  const body = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '360p', duration: 1 };
  const film = await make(keys.test, '/v1/videos', body);
  const page = await openInKeptPage(t, service, { keys, at: `/t/${film.task_id}` });
  await page.getByRole('button', { name: /^Make it speak/ }).click();
  await page.getByRole('button', { name: 'Remove Video 1' }).waitFor();
  await page.getByText('Sync 3').first().waitFor();
});
