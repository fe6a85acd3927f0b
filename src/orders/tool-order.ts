import { type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { SentPaths } from '../catalog/sent-paths.ts';
import { resolveTool, type ToolSource, toolBody, toolInput } from '../catalog/tool-models.ts';
import { resolveOwnFile } from '../order-files/own-files.ts';
import { orderNameIn, type WaitPolicy } from '../record/batch-siblings.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { orderableTools } from '../views/orderable-tools.ts';
import { findParent } from './find-parent.ts';

/** The create that an order of a tool stands for. */
interface ToolOrder {
  readonly type: 'image' | 'video';
  readonly body: JsonObject;
  /** The field that names the medium, by those that the tool has for it. */
  readonly sentAs: SentPaths;
}

interface OrderToRead {
  readonly operation: 'image' | 'video' | 'action' | 'price';
  readonly body: JsonObject;
}

type ToolServices = Pick<TaskServices, 'catalog' | 'database' | 'routing' | 'settings'>;

/** A medium that a tool is to work on. */
interface FoundSource {
  /** As a medium of an order, such as `task:<task_id>`. */
  readonly source: string;
  readonly kind: ToolSource['kind'];
  /** Null until the medium is finished. */
  readonly made: ToolSource | null;
}

/**
 * Returns the create of an order that makes a tool work on an output: by `action` and `parent_task_id`, as the
 * follow-up action of an image, or by `source` with `action` or the `model_id` of a tool. Null if it is no such order.
 * @throws ServiceError if the parent or the source cannot be used
 */
export async function readToolOrder(
  services: ToolServices,
  key: OrderingKey,
  order: OrderToRead,
  waits: WaitPolicy,
): Promise<ToolOrder | null> {
  const { operation, body } = order;
  const { action = null, source = null } = body;
  if (source !== null && operation !== 'action') return await readSourceOrder(services, key, order, waits);
  if (action === null || !(operation === 'action' || operation === 'price')) return null;
  const tools = services.catalog().tools.filter((tool) => tool.as_action === action);
  return tools.length === 0 ? null : await readFollowUp(services, key, tools, order, waits);
}

/** Reads a tool's follow-up action on an image. A price needs no parent. */
async function readFollowUp(
  services: ToolServices,
  key: OrderingKey,
  tools: readonly Model[],
  { operation, body }: OrderToRead,
  waits: WaitPolicy,
): Promise<ToolOrder> {
  const { action, parent_task_id: parentId = null, model_id: id = null, ...settings } = body;
  if (operation === 'price' && parentId === null) {
    const tool = chooseTool(services, key, tools, { id, found: null });
    return { type: tool.type, body: { ...settings, model_id: tool.model_id }, sentAs: new Map() };
  }
  const { row, parent } = await findParent(services, key, body.parent_task_id, waits);
  const forImages = tools.filter((tool) => toolInput(tool)?.kind === 'image');
  const named = id === null ? null : services.catalog().find(String(id));
  const names = forImages.map(({ model_id: name }) => name);
  if (id !== null && named?.model_id !== row.model_id && (named === null || !forImages.includes(named)))
    throw new ServiceError(
      'invalid_request',
      `model_id must be a tool of this action (${names.join(', ')}) or the parent's model, or omitted.`,
      { param: 'model_id' },
    );
  if (parent.grid)
    throw new ServiceError(
      'unsupported_action',
      `${String(action)} works on a single image, and the parent is a grid. Upscale a tile of it first.`,
      { param: 'action' },
    );
  const { width, height } = parent;
  const made: ToolSource = { kind: 'image', width, height, durationSeconds: null };
  const source = orderNameIn(String(parentId)) === null ? `task:${parentId}` : String(parentId);
  const tool = chooseTool(services, key, forImages, { id, found: { source, kind: 'image', made } });
  return toolOrder(tool, settings, { source, sentAs: 'parent_task_id' });
}

/** Reads a tool's order on `source`. Null if neither `action` nor `model_id` names a tool. */
async function readSourceOrder(
  services: ToolServices,
  key: OrderingKey,
  { operation, body }: OrderToRead,
  waits: WaitPolicy,
): Promise<ToolOrder | null> {
  const { action = null, source: sent, model_id: id = null, ...settings } = body;
  const all = services.catalog().tools.filter(({ type }) => operation === 'price' || type === operation);
  const tools =
    action === null ? all.filter((tool) => isNamed(tool, id)) : all.filter((tool) => tool.as_action === action);
  if (tools.length === 0) {
    if (action === null) return null;
    const offered = [...new Set(all.map((tool) => tool.as_action))].join(', ');
    throw new ServiceError('unsupported_action', `Expected an action of a tool with source: ${offered}.`, {
      param: 'action',
    });
  }
  const found = await findSource(services, key, sent, waits);
  const fitting = tools.filter((tool) => toolInput(tool)?.kind === found.kind);
  if (fitting.length === 0)
    throw new ServiceError('invalid_reference', `source: ${tools[0]?.model_id} does not work on ${NOUN[found.kind]}.`, {
      param: 'source',
    });
  const tool = chooseTool(services, key, fitting, { id, found });
  return toolOrder(tool, settings, { source: found.source, sentAs: 'source' });
}

/** @throws ServiceError if the settings contain the medium as well */
function toolOrder(
  tool: Model,
  settings: JsonObject,
  { source, sentAs }: { readonly source: string; readonly sentAs: 'source' | 'parent_task_id' },
): ToolOrder {
  const input = toolInput(tool)?.name ?? '';
  if ((settings[input] ?? null) !== null)
    throw new ServiceError('unsupported_value', `${input}: expected nothing beside ${sentAs}. Send one of the two.`, {
      param: input,
    });
  const paths = [input, `${input}[0]`].map((path) => [path, sentAs] as const);
  return { type: tool.type, body: toolBody(tool, settings, source), sentAs: new Map(paths) };
}

const NOUN = { image: 'an image', video: 'a video' } as const;

/** @throws ServiceError if the source is no image or video of the key, or an unfinished one that is not waited for */
async function findSource(
  { database, settings }: ToolServices,
  key: OrderingKey,
  sent: JsonValue | undefined,
  waits: WaitPolicy,
): Promise<FoundSource> {
  const addresses = settings.cdn === null ? [settings.publicUrl] : [settings.publicUrl, settings.cdn.url];
  const own = typeof sent === 'string' ? await resolveOwnFile(database.read, key, sent, addresses, waits) : null;
  const refuse = (message: string) => new ServiceError('invalid_reference', `source: ${message}.`, { param: 'source' });
  if (own === null || typeof sent !== 'string')
    throw refuse('expected task:<task_id> or upload:<file_id>, an image or a video of this API key');
  if (own.found === 'later') {
    const { expected } = own.awaited;
    return { source: sent, kind: own.kind, made: expected === null ? null : { kind: own.kind, ...expected } };
  }
  if (own.found === false) {
    if (own.isUnfinished !== true) throw refuse(own.message);
    throw new ServiceError('parent_not_ready', `source: ${own.message}.`, { param: 'source', retryAfterSeconds: 2 });
  }
  const { kind, width, height, durationSeconds } = own.media;
  if (kind === 'audio') throw refuse('expected an image or a video, found an audio file');
  const made = width === null || height === null ? null : { kind, width, height, durationSeconds };
  return { source: sent, kind, made };
}

interface WantedTool {
  /** The named model, which may be another one: null = none is named. */
  readonly id: JsonValue;
  /** Null: not known yet. */
  readonly found: FoundSource | null;
}

/**
 * Returns the named tool; or else, as offers do, the first that can be ordered now and takes the medium. If there is
 * none, the first says why.
 */
function chooseTool(
  services: ToolServices,
  key: OrderingKey,
  tools: readonly Model[],
  { id, found }: WantedTool,
): Model {
  const named = tools.find((tool) => isNamed(tool, id));
  if (named !== undefined) return named;
  const kinds = new Set(tools.map((tool) => toolInput(tool)?.kind));
  const orderable = (['image', 'video'] as const)
    .filter((kind) => kinds.has(kind))
    .flatMap((kind) => orderableTools(services, key, kind))
    .filter((tool) => tools.includes(tool));
  const made = found?.made ?? null;
  const fits = (tool: Model) => made === null || resolveTool(tool, made).ok;
  return orderable.find(fits) ?? orderable[0] ?? (tools[0] as Model);
}

function isNamed({ model_id: name, aliases }: Model, id: JsonValue): boolean {
  return name === id || aliases.some((alias) => alias === id);
}
