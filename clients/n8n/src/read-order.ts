import { Buffer } from 'node:buffer';
import type { ExecuteFunctions, Item } from './n8n-interface.ts';

interface NodeOptions {
  readonly referenceField?: string;
  readonly idempotencyKey?: string;
  readonly maxPrice?: string;
}

/** Reads the order of an item from the fields of the node. @throws Error that names the field */
export async function readOrder(
  node: ExecuteFunctions,
  item: Item,
  index: number,
): Promise<{ readonly order: { readonly model_id: string }; readonly key: string }> {
  const text = (name: string) => String(node.getNodeParameter(name, index, '') ?? '');
  const options = node.getNodeParameter('options', index, {}) as NodeOptions;
  const references = await readReferences(node, item, index, text('references'));
  const order = {
    ...readFields(node.getNodeParameter('fields', index, {})),
    model_id: text('model'),
    ...(text('prompt') === '' ? {} : { prompt: text('prompt') }),
    ...(references.length === 0 ? {} : { [options.referenceField || 'image_urls']: references }),
    ...(options.maxPrice ? { max_price: options.maxPrice } : {}),
  };
  return { order, key: options.idempotencyKey || keyOf(node, index) };
}

/** Returns a key that is the same for every try of an item: a node in a loop runs several times in an execution. */
function keyOf(node: ExecuteFunctions, index: number): string {
  const run = node.evaluateExpression('{{ $runIndex }}', index);
  return ['n8n', node.getExecutionId(), node.getNode().id, String(run), index].join('-');
}

/** The bytes are part of the order, so that a repeated order is the same order. */
async function readReferences(
  node: ExecuteFunctions,
  item: Item,
  index: number,
  names: string,
): Promise<readonly string[]> {
  const fields = names.split(',').flatMap((name) => name.trim() || []);
  return await Promise.all(
    fields.map(async (field) => {
      const file = item.binary?.[field];
      if (file === undefined) throw new Error(`Reference Images: the item has no binary field "${field}".`);
      const bytes = await node.helpers.getBinaryDataBuffer(index, field);
      return `data:${file.mimeType};base64,${Buffer.from(bytes).toString('base64')}`;
    }),
  );
}

function readFields(given: unknown): object {
  const fields: unknown = typeof given === 'string' ? JSON.parse(given || '{}') : given;
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  throw new Error('Fields of the Model: expected an object, such as { "aspect_ratio": "16:9" }.');
}
