import { type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import { toolBody } from '../catalog/tool-models.ts';
import { orderNameIn, type WaitPolicy } from '../record/batch-siblings.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findParent } from './find-parent.ts';

/** Returns the tool that the action of an order names, by itself or by `model_id`; null if it is no tool's. */
export function toolNamed(
  { catalog }: Pick<TaskServices, 'catalog'>,
  { action, model_id: id }: JsonObject,
): Model | null {
  const tools = catalog().tools.filter((model) => model.as_action === action);
  return tools.find(({ model_id: name, aliases }) => name === id || aliases.includes(String(id))) ?? tools[0] ?? null;
}

/**
 * Returns the body of the create that a tool's action stands for: the tool's model, with the parent's image.
 * @param isPrice a price needs no parent
 * @throws ServiceError if the parent cannot be used, or is no single image
 */
export async function readToolOrder(
  services: Pick<TaskServices, 'catalog' | 'database'>,
  key: OrderingKey,
  tool: Model,
  body: JsonObject,
  { isPrice, waits }: { readonly isPrice: boolean; readonly waits: WaitPolicy },
): Promise<JsonObject> {
  const { action: _, parent_task_id: parentId, model_id: id, ...settings } = body;
  if (isPrice && (parentId ?? null) === null) return { ...settings, model_id: tool.model_id };
  const { row, parent } = await findParent(services, key, parentId, waits);
  const named = (id ?? null) === null ? null : services.catalog().find(String(id));
  if ((id ?? null) !== null && named !== tool && named?.model_id !== row.model_id)
    throw new ServiceError('invalid_request', `model_id must be ${tool.model_id} or the parent's model, or omitted.`, {
      param: 'model_id',
    });
  if (parent.grid)
    throw new ServiceError(
      'unsupported_action',
      `${tool.as_action} works on a single image, and the parent is a grid. Upscale a tile of it first.`,
      { param: 'action' },
    );
  return toolBody(tool, settings, sourceOf(parentId));
}

/** Returns the parent as a medium of an order: `order:<name>` stays, within a batch. */
function sourceOf(parentId: JsonValue | undefined): string {
  const id = String(parentId);
  return orderNameIn(id) === null ? `task:${id}` : id;
}
