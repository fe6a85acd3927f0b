import type { JsonValue } from '@darkroom-service/contract';
import { type Condition, isPresent, meets, satisfies } from '@darkroom-service/contract/catalog';
import { type CatalogModel, mediaParameter, type Values, withoutEmpty } from './model.ts';

/** A violated constraint of a model, and one change that would satisfy it. */
export interface BrokenRule {
  readonly message: string;
  /** The parameters of the constraint, those of `then` first. */
  readonly fields: readonly string[];
  readonly fix: { readonly name: string; readonly value: JsonValue } | null;
}

/**
 * Checks the constraints that depend only on values. Constraints over pixels or measured media are left to the service,
 * whose quote checks all of them.
 */
export function brokenRules(model: CatalogModel, values: Values): BrokenRule[] {
  const known = factsOf(model, values);
  return model.constraints.flatMap(({ when = {}, then, message }) => {
    const names = [...Object.keys(then), ...Object.keys(when)];
    if (names.some((name) => !known.has(name))) return [];
    const holds = (by: typeof meets, [name, condition]: [string, Condition]) => {
      const { value, present } = known.get(name) ?? NOT_SENT;
      return by(condition, value, present);
    };
    if (!Object.entries(when).every((one) => holds(meets, one))) return [];
    const broken = Object.entries(then).find((one) => !holds(satisfies, one));
    if (broken === undefined) return [];
    return [
      { message, fields: names, fix: model.parameters[broken[0]] === undefined ? null : fixFor(model, ...broken) },
    ];
  });
}

/** Returns the constraints that choosing this value would newly violate. */
export function brokenBy(model: CatalogModel, values: Values, name: string, value: JsonValue): BrokenRule | null {
  const before = new Set(brokenRules(model, values).map(({ message }) => message));
  return brokenRules(model, { ...values, [name]: value }).find(({ message }) => !before.has(message)) ?? null;
}

interface Fact {
  readonly value: JsonValue;
  readonly present: boolean;
}

const NOT_SENT: Fact = { value: null, present: false };

function factsOf(model: CatalogModel, values: Values): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>();
  const sent = withoutEmpty(values);
  const counts = { image: 0, video: 0, audio: 0 };
  for (const [name, schema] of Object.entries(model.parameters)) {
    const fallback = schema.default ?? null;
    const value = sent[name] ?? fallback;
    facts.set(name, { value, present: isPresent(value, fallback) });
    const length = Array.isArray(value) ? value.length : value === null ? 0 : 1;
    if (schema.type === 'array') facts.set(`${name}_count`, factOf(length));
    const media = mediaParameter(model, name);
    if (media !== null && media.role !== 'mask') counts[media.kind] += length;
  }
  facts.set('image_count', factOf(counts.image));
  facts.set('video_count', factOf(counts.video));
  facts.set('audio_count', factOf(counts.audio));
  facts.set('media_count', factOf(counts.image + counts.video + counts.audio));
  facts.set('video_input', { value: counts.video > 0, present: counts.video > 0 });
  return facts;
}

function factOf(count: number): Fact {
  return { value: count, present: count > 0 };
}

function fixFor(model: CatalogModel, name: string, condition: Condition): BrokenRule['fix'] {
  if (typeof condition !== 'object') return { name, value: condition };
  if ('length' in condition) return condition[0] === undefined ? null : { name, value: condition[0] };
  if ('present' in condition) return condition.present ? null : { name, value: null };
  if ('not' in condition) {
    const other = model.parameters[name]?.enum?.find((option) => !condition.not.includes(option));
    return other === undefined ? null : { name, value: other };
  }
  const bound = condition.max ?? condition.min;
  return bound === undefined || model.parameters[name]?.type === 'array' ? null : { name, value: bound };
}
