import {
  cutText,
  didYouMean,
  type Fault,
  type JsonObject,
  type JsonValue,
  suggestName,
} from '@darkroom-service/contract';
import {
  type FieldSet,
  IMAGE_ROLES,
  type ImageRole,
  isPresent,
  type MediaField,
  showValue,
} from '@darkroom-service/contract/catalog';
import { MOST_FAULTS } from './parameter-fault.ts';
import type { SentPaths } from './sent-paths.ts';

/** A body in which each image stands in the field of its role. */
export interface SpreadBody {
  readonly body: JsonObject;
  readonly sentAs?: SentPaths;
  /** The fields whose images are unknown, because the roles have a fault. */
  readonly unread: readonly string[];
}

/**
 * Returns the field of each role that a model or an action knows. Of several fields with one role, a field of a single
 * image comes before a list.
 */
export function imageRolesOf(media: readonly MediaField[]): ReadonlyMap<ImageRole, MediaField> {
  const ofImages = media.filter(
    ({ kind, list, schema }) => kind === 'image' && (list ? schema.items?.format : schema.format) === 'uri',
  );
  const roles = new Map<ImageRole, MediaField>();
  for (const role of IMAGE_ROLES) {
    const having = ofImages.filter((field) => field.role === role);
    const field = having.find(({ list }) => !list) ?? having[0];
    if (field !== undefined) roles.set(role, field);
  }
  return roles;
}

/**
 * Moves each image of `image_urls` to the field of its role in `image_roles`. Checks, prices and routes see the result
 * alone. Returns a body without roles as it is, and so one for a model that knows none.
 * @param taker the name, in messages, of the model or action that accepts the fields
 */
export function spreadRoles(set: FieldSet, body: JsonObject, taker: string, faults: Fault[]): SpreadBody {
  if (body.image_roles === undefined || set.imageRoles.size === 0) return { body, unread: [] };
  const { image_roles: roles, ...unmarked } = body;
  if (roles === null) return { body: unmarked, unread: [] };
  const { image_urls: images = null, ...others } = unmarked;
  const lists = new Map<MediaField, JsonValue[]>();
  const sentAs = new Map<string, string>();
  const found: Fault[] = [];
  for (const [index, [image, role]] of pairImages(images, roles, found).entries()) {
    if (faults.length + found.length >= MOST_FAULTS) break;
    const param = `image_roles[${index}]`;
    const field = set.imageRoles.get(role as ImageRole);
    if (field === undefined) {
      found.push(unknownRole(set, taker, param, role));
      continue;
    }
    const list = lists.get(field) ?? [];
    if (isPresent(others[field.name] ?? null))
      found.push(unsupported(param, `${field.name} is sent as well. Send its images in one of the two`));
    else if (!field.list && list.length > 0)
      found.push(unsupported(param, `${taker} takes one image of the role ${showValue(role as JsonValue)}`));
    sentAs.set(field.list ? `${field.name}[${list.length}]` : field.name, `image_urls[${index}]`);
    if (field.list) sentAs.set(field.name, 'image_urls');
    list.push(image);
    lists.set(field, list);
  }
  if (found.length > 0) {
    faults.push(...found);
    return { body: others, unread: [...set.imageRoles.values()].map(({ name }) => name) };
  }
  const spread = [...lists].map(([{ name, list }, given]) => [name, list ? given : given[0]!] as const);
  return { body: { ...others, ...Object.fromEntries(spread) }, sentAs, unread: [] };
}

/** Returns each image with its role; none if there is a fault. */
function pairImages(
  images: JsonValue,
  roles: JsonValue | undefined,
  faults: Fault[],
): readonly (readonly [JsonValue, JsonValue | undefined])[] {
  const given: readonly JsonValue[] = Array.isArray(images) ? images : [];
  if (Array.isArray(roles) && roles.length === given.length && given.length > 0)
    return given.map((image, index) => [image, roles[index]]);
  const sent = Array.isArray(roles) ? `${roles.length} roles` : showValue(roles ?? null);
  const message = `image_roles: expected a list with one role for each image of image_urls, found ${sent} for ${given.length} images.`;
  faults.push({ param: 'image_roles', code: 'invalid_request', message });
  return [];
}

function unknownRole({ imageRoles }: FieldSet, taker: string, param: string, role: JsonValue | undefined): Fault {
  const known = [...imageRoles.keys()];
  const suggestion = typeof role === 'string' ? suggestName(cutText(role, 100), known) : null;
  const reason = `${taker} does not know the role ${showValue(role ?? null)}.${didYouMean(suggestion)} Its roles: ${known.join(', ')}`;
  return { ...unsupported(param, reason), ...(suggestion === null ? {} : { suggestion }) };
}

function unsupported(param: string, reason: string): Fault {
  return { param, code: 'unsupported_value', message: `${param}: ${reason}.` };
}
