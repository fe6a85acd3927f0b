import { Buffer } from 'node:buffer';
import { Darkroom, type ModelTypes, type TaskHandle } from '@darkroom/client';
import type { Choice, ExecuteFunctions, Item, LoadFunctions } from './n8n-interface.ts';
import { NODE_FIELDS } from './node-fields.ts';
import { type OpenClient, placeOnce } from './place-once.ts';
import { readOrder } from './read-order.ts';

/** The node: orders, gets and cancels images and videos. */
class DarkroomNode {
  readonly description = {
    displayName: 'Darkroom',
    name: 'darkroom',
    icon: 'fa:image',
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Order images and videos from a Darkroom service',
    defaults: { name: 'Darkroom' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'darkroomApi', required: true }],
    properties: NODE_FIELDS,
  };
  readonly methods = { loadOptions: { listModels } };

  /** Runs the node on all items, side by side. */
  async execute(this: ExecuteFunctions): Promise<[readonly Item[]]> {
    const client = await openClient(this);
    const run = async (item: Item, index: number): Promise<Item> => {
      try {
        return { ...(await runItem(this, client, item, index)), pairedItem: { item: index } };
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        return { json: { error: (error as Error).message }, pairedItem: { item: index } };
      }
    };
    const ended = await Promise.allSettled(this.getInputData().map(run));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return [ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))];
  }
}

async function openClient(node: Pick<ExecuteFunctions, 'getCredentials'>): Promise<OpenClient> {
  const { url, apiKey } = await node.getCredentials('darkroomApi');
  return new Darkroom<ModelTypes>({ baseUrl: String(url), apiKey: String(apiKey) });
}

/** Returns the models of the chosen resource. */
async function listModels(this: LoadFunctions): Promise<readonly Choice[]> {
  const type = this.getCurrentNodeParameter('resource') === 'video' ? 'video' : 'image';
  const models = await (await openClient(this)).models.list({ type });
  return models.map(({ model_id: value, name, description }) => ({ name, value, description }));
}

async function runItem(node: ExecuteFunctions, client: OpenClient, item: Item, index: number): Promise<Item> {
  const isImage = node.getNodeParameter('resource', index) === 'image';
  const tasks = isImage ? client.images : client.videos;
  const operation = node.getNodeParameter('operation', index);
  const signal = node.getExecutionCancelSignal?.();
  if (operation === 'cancel') return { json: { ...(await tasks.cancel(taskIdOf(node, index))) } };
  let handle: TaskHandle;
  if (operation === 'get') handle = tasks.handle(await tasks.get(taskIdOf(node, index), { signal }));
  else {
    const { order, key } = await readOrder(node, item, index);
    handle = await placeOnce(tasks, order, key, signal);
  }
  if (node.getNodeParameter('waits', index) !== true) return { json: { ...handle.task } };
  await resultOf(handle, signal, operation === 'create');
  return await withFile(node, handle, String(node.getNodeParameter('binaryField', index)));
}

function taskIdOf(node: ExecuteFunctions, index: number): string {
  return String(node.getNodeParameter('taskId', index));
}

/** Waits for the end of a task. When the execution is stopped, its orders are canceled. */
async function resultOf(handle: TaskHandle, signal: AbortSignal | undefined, isOwn: boolean): Promise<void> {
  try {
    await handle.result({ signal });
  } catch (error) {
    // The task may be final by now; the stop is told whatever comes of this.
    if (isOwn && signal?.aborted === true) await handle.cancel().catch(() => {});
    throw error;
  }
}

async function withFile(node: ExecuteFunctions, handle: TaskHandle, field: string): Promise<Item> {
  const { content_type: type } = handle.output;
  const name = `${handle.taskId}.${type.split('/')[1]}`;
  const bytes = Buffer.from(await handle.content().bytes());
  const file = await node.helpers.prepareBinaryData(bytes, name, type);
  return { json: { ...handle.task }, binary: { [field]: file } };
}

/** n8n takes the class that has the name of the file. */
export { DarkroomNode as darkroom };
