import { createImage, createVideo, getImage, getModel, listImages, quotePrice, uploadFile } from './orval/client';

declare const process: { readonly env: Readonly<Record<'DARKROOM_API_KEY' | 'PICTURE', string>> };
const { DARKROOM_API_KEY, PICTURE } = process.env;
const options = { headers: { authorization: `Bearer ${DARKROOM_API_KEY}` } };
const waiting = { headers: { ...options.headers, prefer: 'wait=60' } };

/** Uses the client that orval generates. The compiler checks the names and types, the service the requests. */
async function use(): Promise<void> {
  const model = await getModel('sketch', options);
  if (model.status !== 200) throw new Error('the model was not found');
  assertEqual(typeof model.data.data.input_schema, 'object');
  const order = { model_id: 'sketch', prompt: 'a fox', aspect_ratio: '1:1', resolution: '0.5K', seed: 7 };
  const quote = await quotePrice(order, options);
  const created = await createImage(order, waiting);
  if (quote.status !== 200 || created.status !== 201) throw new Error('the order was refused');
  const task = created.data.data;
  if (!('outputs' in task)) throw new Error('the task was deleted');
  assertEqual(task.cost.quoted, quote.data.data.amount);
  const found = await getImage(task.task_id, options);
  if (found.status !== 200) throw new Error('the task was not found');
  assertEqual(found.data.data.model_id, 'sketch');
  const listed = await listImages({ limit: 1 }, options);
  if (listed.status !== 200) throw new Error('the tasks cannot be listed');
  assertEqual(listed.data.data.items[0]?.task_id, task.task_id);
  const picture = await (await fetch(PICTURE)).blob();
  const file = await uploadFile({ file: picture }, undefined, options);
  if (file.status !== 201) throw new Error('the upload was refused');
  const references = [`upload:${file.data.data.file_id}`];
  const video = await createVideo({ model_id: 'sketch-motion', prompt: 'a fox', image_urls: references }, options);
  assertEqual(video.status, 201);
  const refused = await createImage({ model_id: 'none' }, options);
  if (refused.status !== 404) throw new Error(`expected 404, found ${refused.status}`);
  assertEqual(refused.data.error.code, 'model_not_found');
}

function assertEqual(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected ${String(expected)}, found ${String(found)}`);
}

void use();
