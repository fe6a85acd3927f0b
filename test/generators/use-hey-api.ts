import { client } from './hey-api/client.gen';
import { createImage, createVideo, getImage, getModel, listImages, quotePrice, uploadFile } from './hey-api/sdk.gen';

declare const process: { readonly env: Readonly<Record<'DARKROOM_URL' | 'DARKROOM_API_KEY' | 'PICTURE', string>> };
const { DARKROOM_URL, DARKROOM_API_KEY, PICTURE } = process.env;

/** Uses the client that @hey-api/openapi-ts generates. The compiler checks its types, the service its requests. */
async function use(): Promise<void> {
  client.setConfig({ baseUrl: DARKROOM_URL, auth: DARKROOM_API_KEY });
  const model = await getModel({ path: { model_id: 'sketch' }, throwOnError: true });
  assertEqual(typeof model.data.data.input_schema, 'object');
  const order = { model_id: 'sketch', prompt: 'a fox', aspect_ratio: '1:1', resolution: '0.5K', seed: 7 };
  const quote = await quotePrice({ body: order, throwOnError: true });
  const created = await createImage({ body: order, headers: { prefer: 'wait=60' }, throwOnError: true });
  const task = created.data.data;
  if (!('outputs' in task)) throw new Error('the task was deleted');
  assertEqual(task.cost.quoted, quote.data.data.amount);
  const found = await getImage({ path: { task_id: task.task_id }, throwOnError: true });
  assertEqual(found.data.data.model_id, 'sketch');
  const listed = await listImages({ query: { limit: 1 }, throwOnError: true });
  assertEqual(listed.data.data.items[0]?.task_id, task.task_id);
  const picture = await (await fetch(PICTURE)).blob();
  const file = await uploadFile({ body: { file: picture }, throwOnError: true });
  const video = await createVideo({
    body: { model_id: 'sketch-motion', prompt: 'a fox', image_urls: [`upload:${file.data.data.file_id}`] },
    throwOnError: true,
  });
  assertEqual(video.data.data.status, 'queued');
  const refused = await createImage({ body: { model_id: 'none' } });
  assertEqual(refused.error?.error.code, 'model_not_found');
}

function assertEqual(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected ${String(expected)}, found ${String(found)}`);
}

void use();
