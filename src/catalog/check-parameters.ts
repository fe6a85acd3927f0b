import { countedUnit, IMAGE_ROLES, type MediaRole, type Model, type Schema } from '@darkroom-service/contract/catalog';
import { mediaFieldsOf } from './media-fields.ts';
import { ANNOTATION_KEYWORDS, CHECKED_KEYWORDS } from './parameter-check.ts';

const METERED = {
  input_video_second: { kind: 'video', limits: ['max_seconds', 'max_total_seconds'] },
  input_plus_output_second: { kind: 'video', limits: ['max_seconds', 'max_total_seconds'] },
  input_audio_second: { kind: 'audio', limits: ['max_seconds', 'max_total_seconds'] },
  input_megapixel: { kind: 'image', limits: ['max_megapixels'] },
} as const;

const ROLES: Readonly<Record<'image' | 'video' | 'audio', readonly MediaRole[]>> = {
  image: [...IMAGE_ROLES, 'first_and_last_frame'],
  video: ['source_video', 'reference_video'],
  audio: ['reference_audio'],
};

/** Returns the faults of an entry's parameters: keywords, names and media. */
export function checkParameters(model: Model): string[] {
  const faults: string[] = [];
  for (const [name, parameter] of Object.entries(model.parameters)) {
    checkKeywords(parameter as Schema, `parameters.${name}`, faults);
    if ((parameter as Schema).default === undefined) faults.push(`parameters.${name} has no default; null means none`);
  }
  if (Object.hasOwn(model.parameters, 'image_roles'))
    faults.push('parameters.image_roles: the service computes it from the roles in limits. Remove it');
  checkMedia(model, faults);
  return faults;
}

/** Rejects unsupported keywords, which would suggest a check that does not happen. */
function checkKeywords(schema: Schema, path: string, faults: string[]): void {
  for (const keyword of Object.keys(schema)) {
    if (CHECKED_KEYWORDS.has(keyword) || ANNOTATION_KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
    faults.push(`${path} uses ${keyword}, which is not supported; supported: ${[...CHECKED_KEYWORDS].join(', ')}`);
  }
  if (schema.pattern !== undefined && !isPattern(schema.pattern))
    faults.push(`${path}.pattern is no regular expression: ${schema.pattern}`);
  if (schema.items !== undefined) checkKeywords(schema.items, `${path}.items`, faults);
  schema.prefixItems?.forEach((inner, index) => {
    checkKeywords(inner, `${path}.prefixItems[${index}]`, faults);
  });
  schema.anyOf?.forEach((inner, index) => {
    checkKeywords(inner, `${path}.anyOf[${index}]`, faults);
  });
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    checkKeywords(inner, `${path}.properties.${name}`, faults);
}

function checkMedia(model: Model, faults: string[]): void {
  const fields = mediaFieldsOf(model);
  for (const [name, parameter] of Object.entries(model.parameters)) {
    if (containsReference(parameter as Schema) && !fields.some((field) => field.name === name)) {
      faults.push(`parameters.${name} takes references: say "x-media": "image", "video" or "audio"`);
    }
  }
  for (const { name, kind } of fields) {
    const role = model.limits[name]?.role;
    if (role === undefined) faults.push(`limits.${name}.role is missing; one of ${ROLES[kind].join(', ')}`);
    else if (!ROLES[kind].includes(role))
      faults.push(`limits.${name}.role is ${role}; for ${kind} one of ${ROLES[kind].join(', ')}`);
    if ((role === 'mask') !== (name === 'mask_url'))
      faults.push(`parameters.${name}: a mask is sent as mask_url, and mask_url is a mask`);
  }
  const pictures = fields.filter((field) => field.kind === 'image' && field.role !== 'mask' && field.role !== 'style');
  if (pictures.length > 0 && !pictures.some((field) => field.name === 'image_urls')) {
    faults.push(`the model takes pictures (${pictures.map((field) => field.name).join(', ')}), so it needs image_urls`);
  }
  for (const component of model.pricing.components) {
    const per = countedUnit(component);
    if (!Object.hasOwn(METERED, per)) continue;
    const { kind, limits } = METERED[per as keyof typeof METERED];
    for (const field of fields.filter((one) => one.kind === kind && one.role !== 'mask')) {
      const limit = model.limits[field.name] ?? {};
      if (limits.some((key) => limit[key] !== undefined)) continue;
      faults.push(`${per} is metered, so limits.${field.name} needs ${limits.join(' or ')}: the most a quote can be`);
    }
  }
}

function containsReference(schema: Schema): boolean {
  if (schema.format === 'uri') return true;
  const inner = [
    schema.items,
    ...(schema.prefixItems ?? []),
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
  ];
  return inner.some((part) => part !== undefined && containsReference(part));
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
