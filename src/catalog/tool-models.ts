import type { JsonObject } from '@darkroom-service/contract';
import type { MediaField, Model, Size } from '@darkroom-service/contract/catalog';
import { measureRequest } from './measure-request.ts';
import { type Resolution, resolveRequest } from './resolve-request.ts';

/** Returns the body of a create that makes a tool work on an image. */
export function toolBody(tool: Model, settings: JsonObject, source: string): JsonObject {
  const field = imageField(tool);
  return { ...settings, model_id: tool.model_id, [field.name]: field.list ? [source] : source };
}

/** Resolves a tool's order on an image of a known size, with the tool's defaults. */
export function resolveTool(tool: Model, { width, height }: Size): Resolution {
  const { model_id: _, ...body } = toolBody(tool, {}, SAMPLE);
  const found = resolveRequest(tool, body, { purpose: 'quote' });
  if (!found.ok) return found;
  const measured = measureRequest(tool, found.request, [
    { field: imageField(tool).name, index: 0, width, height, durationSeconds: null },
  ]);
  if (measured.faults.length > 0) return { ok: false, faults: measured.faults, media: [] };
  return { ...found, request: measured.request };
}

const SAMPLE = 'task:img_00000000000000000000000000';

/** Returns the schemas of the fields that a tool has besides its image, without a `default` where there is none. */
export function toolParameters(tool: Model): Record<string, JsonObject> {
  const field = imageField(tool).name;
  const own = Object.entries(tool.parameters).filter(([name]) => name !== field && name !== 'num_images');
  return Object.fromEntries(
    own.map(([name, { default: standard, ...schema }]) => [
      name,
      (standard === null ? schema : { ...schema, default: standard }) as JsonObject,
    ]),
  );
}

function imageField(tool: Model): MediaField {
  const field = tool.compiled.fields.media.find(({ kind }) => kind === 'image');
  if (field === undefined) throw new Error(`the tool ${tool.model_id} takes no image`);
  return field;
}
