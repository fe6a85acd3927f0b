import type { Condition } from '@darkroom-service/contract/catalog/entry-schema';
import type { PriceComponent } from '@darkroom-service/contract/catalog/price-schema';
import type { JsonValue } from '@darkroom-service/contract/json';
import { type CatalogModel, mediaParameter, type Values } from '../../api/model.ts';
import { formatCount } from '../../format.ts';
import { modelTexts } from '../../texts/models.ts';
import { featureLabel, fieldLabel, fieldLabelInSentence } from '../../texts/studio-labels.ts';

const { prices, limits } = modelTexts;
const EXAMPLE_URL = 'https://example.com/input';

/** Returns when a line of the price table applies: `Resolution: 1080p, With sound: yes`. */
export function conditionsOf({ when = {}, units, at_least: least, description }: PriceComponent): string {
  const conditions = Object.entries(when).map(
    ([name, condition]) => `${fieldLabel(name)}: ${conditionText(condition)}`,
  );
  const further = [
    description ?? (units === undefined ? undefined : prices.units(units.from, units.to)),
    least === undefined ? undefined : prices.atLeast(least.output_seconds),
  ].filter((text) => text !== undefined);
  return [...conditions, ...further].join(', ') || prices.always;
}

function conditionText(condition: Condition): string {
  if (typeof condition !== 'object') return valueText(condition);
  if ('length' in condition) return condition.map(valueText).join(limits.or);
  if ('present' in condition) return condition.present ? limits.given : limits.notGiven;
  if ('not' in condition) return limits.not(condition.not.map(valueText).join(limits.or));
  return boundsText(condition);
}

function boundsText({
  min,
  max,
  above,
  below,
}: Partial<Record<'min' | 'max' | 'above' | 'below', number | undefined>>) {
  return Object.entries({ atLeast: min, above, atMost: max, below })
    .flatMap(([name, bound]) => (bound === undefined ? [] : limits[name as 'above'](formatCount(bound))))
    .join(limits.and);
}

/** Returns the values that a field accepts: `1:1, 16:9`, `up to 4 images`, `3 to 10`. */
export function acceptedBy(model: CatalogModel, name: string): string {
  const media = mediaParameter(model, name);
  if (media !== null) return limits.media[media.kind](media.most);
  const { enum: values, type, minimum, maximum, description } = model.parameters[name] ?? {};
  if (values !== undefined) return values.map(valueText).join(', ');
  if (type === 'boolean') return [true, false].map(valueText).join(limits.or);
  if (minimum !== undefined || maximum !== undefined) return boundsText({ min: minimum, max: maximum });
  const { max, unit } = model.limits[name] ?? {};
  if (max !== undefined && unit !== undefined) return limits.upTo(formatCount(max), unit);
  return description ?? limits.anything;
}

export function valueText(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? limits.yes : limits.no;
  if (typeof value === 'number') return formatCount(value);
  return typeof value === 'string' ? featureLabel(value) : JSON.stringify(value);
}

/** Returns the fields of which an order needs one list: `Required: prompt or reference images.` */
export function requiredBy({ required }: CatalogModel): string {
  const lists = required.map((list) => list.map(fieldLabelInSentence).join(limits.and));
  return lists.length === 0 ? '' : limits.required(lists.join(limits.or));
}

/** Returns the least that an order needs, as an example. */
export function leastOrder(model: CatalogModel, prompt: string): Values {
  const names = model.required[0] ?? ['prompt'];
  return Object.fromEntries(
    names.map((name) => {
      const media = mediaParameter(model, name);
      return [name, media === null ? prompt : media.list ? [EXAMPLE_URL] : EXAMPLE_URL];
    }),
  );
}
