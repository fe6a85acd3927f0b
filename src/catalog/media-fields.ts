import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  ACTIONS,
  type ActionName,
  type MediaField,
  type MediaReference,
  type Model,
  type ResolvedRequest,
  type Schema,
} from '@darkroom-service/contract/catalog';
import { isReference } from './scalar-checks.ts';

/** Returns the media parameters of a model, in the entry's order. */
export function mediaFieldsOf(model: Pick<Model, 'parameters' | 'limits'>): MediaField[] {
  const fields: MediaField[] = [];
  for (const [name, parameter] of Object.entries(model.parameters)) {
    const schema = parameter as Schema;
    const kind = mediaKind(schema);
    if (kind !== null)
      fields.push({ name, kind, role: model.limits[name]?.role ?? 'reference', schema, list: schema.type === 'array' });
  }
  return fields;
}

/** Returns the path of a medium in a body, such as `image_urls[1]`. */
export function paramOf(model: Model, { field, index }: Pick<MediaReference, 'field' | 'index'>): string {
  return model.parameters[field]?.type === 'array' ? `${field}[${index}]` : field;
}

/** Returns the media in the checked value of a field, in the order of its list. */
export function mediaIn({ name, kind, schema }: MediaField, value: JsonValue | undefined): MediaReference[] {
  const media: MediaReference[] = [];
  if (value === undefined || value === null) return media;
  mapMedia(schema, value, (source) => {
    media.push({ field: name, index: media.length, kind, source });
    return source;
  });
  return media;
}

/**
 * Returns the valid entries of lists that were refused because of other entries, so that their media can be checked as
 * well.
 */
export function validEntries(
  fields: readonly MediaField[],
  body: JsonObject,
  refused: ReadonlySet<string>,
): MediaReference[] {
  return fields.flatMap(({ name, kind, schema: { items, maxItems } }) => {
    const entries = refused.has(name) && items?.format === 'uri' ? body[name] : null;
    if (!Array.isArray(entries) || entries.length > (maxItems ?? Number.POSITIVE_INFINITY)) return [];
    return entries.flatMap((source, index) =>
      typeof source === 'string' && isReference(source) ? [{ field: name, index, kind, source }] : [],
    );
  });
}

/**
 * Replaces the sources of a request's media (for example a data URI by its stored file); `replace` returns the new
 * source.
 */
export function replaceMediaSources(
  model: Model,
  request: ResolvedRequest,
  replace: (media: MediaReference) => string,
): ResolvedRequest {
  if (request.media.length === 0) return request;
  const media = request.media.map((medium) => ({ ...medium, source: replace(medium) }));
  const values: Record<string, JsonValue> = { ...request.values };
  for (const name of new Set(media.map((medium) => medium.field))) {
    const schema = (
      request.action === null ? model.parameters[name] : ACTIONS[request.action as ActionName]?.parameters[name]
    ) as Schema | undefined;
    const value = values[name];
    if (schema === undefined || value === undefined || value === null) continue;
    const sources = media.filter((medium) => medium.field === name).map((medium) => medium.source);
    let index = 0;
    values[name] = mapMedia(schema, value, (source) => sources[index++] ?? source);
  }
  return { ...request, values, media };
}

function mediaKind(schema: Schema): MediaField['kind'] | null {
  if (schema.format === 'uri') return schema['x-media'] ?? null;
  const inner = [schema.items, ...(schema.prefixItems ?? []), ...Object.values(schema.properties ?? {})];
  for (const part of inner) {
    if (part === undefined) continue;
    const kind = mediaKind(
      part.format === 'uri' && schema['x-media'] !== undefined ? { 'x-media': schema['x-media'], ...part } : part,
    );
    if (kind !== null) return kind;
  }
  return null;
}

function mapMedia(schema: Schema, value: JsonValue, replace: (source: string) => string): JsonValue {
  if (typeof value === 'string') return schema.format === 'uri' ? replace(value) : value;
  if (Array.isArray(value)) {
    return value.map((item, index) => mapMedia(schema.prefixItems?.[index] ?? schema.items ?? {}, item, replace));
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return value;
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapMedia(properties[name] ?? {}, inner, replace)]),
  );
}
