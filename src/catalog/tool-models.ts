import type { JsonObject } from '@darkroom-service/contract';
import type { MediaField, Model } from '@darkroom-service/contract/catalog';
import { measureRequest } from './measure-request.ts';
import { type Resolution, resolveRequest } from './resolve-request.ts';

/** A finished image or video that a tool works on. */
export interface ToolSource {
  readonly kind: 'image' | 'video';
  readonly width: number;
  readonly height: number;
  /** Seconds; null for an image. */
  readonly durationSeconds: number | null;
}

/** Returns the field of the medium that a tool works on: its video, or else its image. Null: it has neither. */
export function toolInput({ compiled }: Pick<Model, 'compiled'>): MediaField | null {
  const { media } = compiled.fields;
  return media.find(({ kind }) => kind === 'video') ?? media.find(({ kind }) => kind === 'image') ?? null;
}

/** Returns the body of a create that makes a tool work on a medium. */
export function toolBody(tool: Model, settings: JsonObject, source: string): JsonObject {
  const field = inputOf(tool);
  return { ...settings, model_id: tool.model_id, [field.name]: field.list ? [source] : source };
}

/** Resolves a tool's order on a finished medium, with the tool's defaults. Media that are missing count as sent. */
export function resolveTool(tool: Model, { kind, width, height, durationSeconds }: ToolSource): Resolution {
  const { model_id: _, ...body } = toolBody(tool, {}, SAMPLES[kind]);
  const found = resolveRequest(tool, body, { purpose: 'quote' });
  if (!found.ok) return found;
  const measured = measureRequest(tool, found.request, [
    { field: inputOf(tool).name, index: 0, width, height, durationSeconds },
  ]);
  if (measured.faults.length > 0) return { ok: false, faults: measured.faults, media: [] };
  return { ...found, request: measured.request };
}

const SAMPLES = {
  image: 'task:img_00000000000000000000000000',
  video: 'task:vid_00000000000000000000000000',
} as const;

/** Returns the schemas of the fields that a tool has besides its input, without a `default` where there is none. */
export function toolParameters(tool: Model): Record<string, JsonObject> {
  const field = inputOf(tool).name;
  const own = Object.entries(tool.parameters).filter(([name]) => name !== field && name !== 'num_images');
  return Object.fromEntries(
    own.map(([name, { default: standard, ...schema }]) => [
      name,
      (standard === null ? schema : { ...schema, default: standard }) as JsonObject,
    ]),
  );
}

function inputOf(tool: Model): MediaField {
  const field = toolInput(tool);
  if (field === null) throw new Error(`the tool ${tool.model_id} takes neither an image nor a video`);
  return field;
}
