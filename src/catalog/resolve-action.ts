import { type Fault, isBlank, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import {
  ACTIONS,
  type ActionName,
  type FieldSet,
  type MediaReference,
  type Model,
  type ResolvedRequest,
  showValue,
} from '@darkroom-service/contract/catalog';
import { type ActionParent, canGrow, changesNothing, LARGEST_SIDE, planActionOutput } from './action-output.ts';
import { derive } from './derive.ts';
import { spreadRoles } from './image-roles.ts';
import { mediaIn } from './media-fields.ts';
import { unexpected } from './parameter-fault.ts';
import { type Resolution, type ResolveOptions, readFields, resolveRequest } from './resolve-request.ts';

interface AvailableAction {
  readonly action: ActionName;
  /** JSON Schema per field; without `default` if there is none. */
  readonly parameters: Readonly<Record<string, JsonObject>>;
}

/** Returns the actions that are possible with a picture of the model. */
export function availableActions(
  model: Model,
  parent: Pick<ActionParent, 'grid' | 'width' | 'height'>,
): AvailableAction[] {
  return model.actions
    .filter((action) => isAvailable(action, parent))
    .map((action) => ({ action, parameters: publicParameters(action) }));
}

/**
 * Resolves a follow-up action, or returns all faults. The body contains `action` and its fields, without
 * `parent_task_id`, `model_id` and the service's own fields. A null parent (a quote before it exists) stands for the
 * model's default create. A quote tolerates missing fields.
 * The parent's settings (such as `speed`) are inherited as derived values, so that prices may depend on them.
 */
export function resolveAction(
  model: Model,
  body: JsonObject,
  parent: ActionParent | null,
  options: ResolveOptions,
): Resolution {
  const { action: requested, num_images: wanted, ...sent } = body;
  const count = wanted ?? 1;
  const from = parent ?? defaultParent(model, requested);
  if (!isAction(requested) || from === null || !model.actions.includes(requested) || !isAvailable(requested, from)) {
    return { ok: false, faults: [unsupportedAction(model, requested, from)], media: [] };
  }
  const set = model.compiled.actions.get(requested) as FieldSet;
  const faults: Fault[] = [];
  if (count !== 1)
    faults.push(
      unexpected('num_images', typeof count === 'number' ? 'unsupported_value' : 'invalid_request', '1', count),
    );
  const taker = `The action ${requested}`;
  const { body: plain, sentAs, unread } = spreadRoles(set, sent, taker, faults);
  const { values, refused } = readFields(set, plain, taker, faults, unread);
  const paths = sentAs === undefined ? {} : { sentAs };
  const missing = ACTIONS[requested].required.filter((name) => !refused.has(name) && isMissing(values[name]));
  if (options.purpose === 'create') faults.push(...missing.map((name) => missingField(requested, name)));
  if (requested === 'pan' && !refused.has('direction') && !canGrow(values, from)) faults.push(noRoom(values, from));
  const media = set.media.flatMap((field) => mediaIn(field, values[field.name]));
  if (faults.length > 0) return { ok: false, faults, media, ...paths };
  if (isMissing(values.prompt)) values.prompt = from.request.values.prompt ?? null;
  return { ok: true, request: completeAction(model, requested, set, values, from, media), missing, ...paths };
}

function completeAction(
  model: Model,
  action: ActionName,
  set: FieldSet,
  values: JsonObject,
  parent: ActionParent,
  media: readonly MediaReference[],
): ResolvedRequest {
  const output = planActionOutput(model, action, values, parent);
  const size = { width: output.width, height: output.height, known: true, mostPixels: output.width * output.height };
  const { media: fields, lists } = set;
  const own = derive({ type: model.type, action, values, fields, lists, media, size, seconds: null, measurements: [] });
  return {
    modelId: model.model_id,
    type: model.type,
    action,
    values,
    derived: { ...inheritedSettings(model, parent.request), ...own },
    output,
    media,
  };
}

function inheritedSettings(model: Model, request: ResolvedRequest): Record<string, string | number | boolean | null> {
  const settings: Record<string, string | number | boolean | null> = {};
  for (const name of Object.keys(model.parameters)) {
    const value = (request.action === null ? request.values[name] : request.derived[name]) ?? null;
    if (name !== 'prompt' && typeof value !== 'object') settings[name] = value;
  }
  return settings;
}

function defaultParent(model: Model, action: JsonValue | undefined): ActionParent | null {
  const created = resolveRequest(model, {}, { purpose: 'quote' });
  if (!created.ok) return null;
  const { width, height } = created.request.output;
  const grid =
    isAction(action) && ACTIONS[action].on !== 'any' ? ACTIONS[action].on === 'grid' : model.output?.tiles === 4;
  const squared = action === 'make_square' && width === height;
  return { request: created.request, grid, width: squared ? width - 1 : width, height };
}

function isAction(value: JsonValue | undefined): value is ActionName {
  return typeof value === 'string' && Object.hasOwn(ACTIONS, value);
}

function isAvailable(action: ActionName, parent: Pick<ActionParent, 'grid' | 'width' | 'height'>): boolean {
  const { on } = ACTIONS[action];
  return (on === 'any' || (on === 'grid') === parent.grid) && !changesNothing(action, parent);
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

function missingField(action: ActionName, name: string): Fault {
  const code = name === 'prompt' ? 'missing_prompt' : name === 'mask_url' ? 'missing_reference' : 'invalid_request';
  return { param: name, code, message: `The action ${action} requires ${name}.` };
}

function noRoom(values: JsonObject, { width, height }: ActionParent): Fault {
  const message = `The image is ${width}x${height} and no side can exceed ${LARGEST_SIDE} pixels, so it cannot grow ${showValue(values.direction ?? null)}.`;
  return { param: 'direction', code: 'unsupported_value', message };
}

function unsupportedAction(model: Model, requested: JsonValue | undefined, parent: ActionParent | null): Fault {
  if (requested === undefined)
    return { param: 'action', code: 'invalid_request', message: `action is missing. ${listed(model, parent)}` };
  if (typeof requested !== 'string') return unexpected('action', 'invalid_request', 'a string', requested);
  return {
    param: 'action',
    code: 'unsupported_action',
    message: `The parent task does not offer ${showValue(requested)}. ${listed(model, parent)}`,
  };
}

function listed(model: Model, parent: ActionParent | null): string {
  if (model.actions.length === 0 || parent === null) return `${model.model_id} has no follow-up actions.`;
  return `Available actions: ${availableActions(model, parent)
    .map(({ action }) => action)
    .join(', ')}.`;
}

function publicParameters(action: ActionName): Record<string, JsonObject> {
  const parameters: Record<string, JsonObject> = {};
  for (const [name, schema] of Object.entries(ACTIONS[action].parameters)) {
    const { default: standard, ...rest } = schema;
    parameters[name] = (standard === null ? rest : schema) as JsonObject;
  }
  return parameters;
}

/** Resolves an action again whose parent was only planned when it was ordered. */
export function resolveAgain(model: Model, { action, values }: ResolvedRequest, parent: ActionParent): Resolution {
  const fields = ACTIONS[action as ActionName]?.parameters ?? {};
  const sent = Object.entries(values).filter(([name, value]) => Object.hasOwn(fields, name) && value !== null);
  const body: JsonObject = { ...Object.fromEntries(sent), action };
  return resolveAction(model, body, parent, { purpose: 'create' });
}
