import { given } from '@darkroom-service/contract';
import type { Model, Schema } from '@darkroom-service/contract/catalog';
import { presentSchema } from './condition-schema.ts';

type Json = { [keyword: string]: unknown };

/** Matches a body that gives its images roles; null counts as not sent. */
const HAS_ROLES: Json = { required: ['image_roles'], properties: { image_roles: { type: 'array' } } };

/** Returns the names of the fields that `image_roles` can stand for, and of the list that it describes. */
function fieldsOfRoles({ compiled }: Model): readonly string[] {
  const { imageRoles } = compiled.fields;
  return imageRoles.size === 0 ? [] : ['image_urls', ...[...imageRoles.values()].map(({ name }) => name)];
}

/** Returns the properties `image_roles` and `image_urls` of a body whose images can have roles; else none. */
export function roleProperties(model: Model): Record<string, Json> {
  const { imageRoles } = model.compiled.fields;
  if (imageRoles.size === 0) return {};
  const own = model.parameters.image_urls as (Schema & { description?: string }) | undefined;
  const most = [...new Set(imageRoles.values())].reduce((sum, field) => sum + mostImages(model, field.name), 0);
  const list = { type: ['array', 'null'], maxItems: most, default: null };
  const { minItems } = own ?? {};
  const image = { type: 'string', format: 'uri', 'x-media': 'image', ...own?.items };
  return {
    image_urls: {
      ...list,
      ...given({ minItems }),
      items: image,
      description: own?.description ?? 'Images, with their image_roles.',
    },
    image_roles: {
      ...list,
      minItems: 1,
      items: { enum: [...imageRoles.keys()] },
      description: 'The role of each image of image_urls, in the same sequence, instead of the fields of these roles.',
    },
  };
}

/** Returns the rules for `image_urls` with and without roles. @param image_urls its schema without roles */
export function roleRules(model: Model, imageUrls: Json | undefined): Json[] {
  if (model.compiled.fields.imageRoles.size === 0) return [];
  const withImages = { required: ['image_urls'], properties: { image_urls: presentSchema(null) } };
  return [{ if: HAS_ROLES, then: withImages, else: { properties: { image_urls: imageUrls ?? false } } }];
}

/** Restricts a rule to bodies without roles if it names a field for which roles can stand. */
export function withoutRoles(model: Model, names: readonly string[], rule: Json): Json {
  const fields = fieldsOfRoles(model);
  return names.some((name) => fields.includes(name)) ? { if: { not: HAS_ROLES }, then: rule } : rule;
}

/** Returns the fields that an order with roles sends instead of these; null if none of them is for images. */
export function requiredWithRoles(model: Model, names: readonly string[]): readonly string[] | null {
  const fields = fieldsOfRoles(model);
  if (!names.some((name) => fields.includes(name))) return null;
  return [...names.filter((name) => !fields.includes(name)), 'image_urls', 'image_roles'];
}

function mostImages({ parameters, limits }: Model, name: string): number {
  const schema = parameters[name] as Schema;
  if (schema.type !== 'array') return 1;
  return Math.min(schema.maxItems ?? MOST_IMAGES, limits[name]?.max ?? MOST_IMAGES);
}

/** The maximum number of images in a body. */
const MOST_IMAGES = 2_000;
