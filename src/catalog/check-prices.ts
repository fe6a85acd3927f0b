import type { JsonValue } from '@darkroom-service/contract';
import {
  boundaryValues,
  type Condition,
  countedUnit,
  isBounds,
  isPresent,
  type Model,
  meets,
  type PriceComponent,
  type Schema,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { standardPrices } from './batch-lane.ts';
import { MODES } from './derive.ts';

/**
 * Returns the faults of an entry's prices and of its routes' costs: two components of the same unit that could apply
 * together, and conditions that the charge could not reproduce.
 */
export function checkPrices(model: Model): string[] {
  return [
    ...checkComponents(model, 'pricing', model.pricing.components),
    ...checkSources(model),
    ...model.routes.flatMap((route, index) =>
      checkComponents(model, `routes[${index}].cost`, statedCost(route)?.components ?? []),
    ),
  ];
}

function checkSources(model: Model): string[] {
  const { price_sources: sources = [] } = model;
  const most = standardPrices(model).length;
  return sources.flatMap(({ prices }, index) => {
    const wrong = prices.filter((place) => place > most);
    return wrong.map((place) => `price_sources[${index}] names price ${place}, but pricing has ${most}`);
  });
}

function checkComponents(model: Model, where: string, components: readonly PriceComponent[]): string[] {
  const faults: string[] = [];
  components.forEach((component, index) => {
    faults.push(...checkComponent(model, component, `${where}.components[${index}]`));
    for (let other = index + 1; other < components.length; other++) {
      const rival = components[other] as PriceComponent;
      if (
        unitOf(rival) === unitOf(component) &&
        !haveOwnUnits(component, rival) &&
        canMeetTogether(model, component, rival)
      ) {
        faults.push(
          `${where}.components[${index}] and [${other}] are both per ${unitOf(component)} and can match at once`,
        );
      }
    }
  });
  return faults;
}

function checkComponent(model: Model, component: PriceComponent, path: string): string[] {
  const faults: string[] = [];
  const { units } = component;
  if (units?.to !== undefined && units.to < units.from) faults.push(`${path}.units ends before it begins`);
  const unit = countedUnit(component);
  if (model.type === 'image' && (unit === 'clip' || unit.includes('output_second'))) {
    faults.push(`${path} is per ${unitOf(component)}, which a picture does not have`);
  }
  if ((component.per === 'formula') !== (component.formula !== undefined))
    faults.push(`${path}: per formula and the field formula need each other`);
  if (component.at_least !== undefined && unit !== 'input_plus_output_second')
    faults.push(`${path}.at_least is for input_plus_output_second`);
  for (const [name, condition] of Object.entries(component.when ?? {})) {
    const standard = (model.parameters[name]?.default ?? null) as JsonValue;
    if (typeof condition === 'object' && 'present' in condition && isPresent(standard)) {
      faults.push(`${path}.when.${name}: whether it is present does not tell, as it has a default; name its values`);
    }
  }
  return faults;
}

function unitOf({ per, formula }: PriceComponent): string {
  return formula?.name ?? per;
}

/** Tells whether two components price separate ranges of units, which is intended. */
function haveOwnUnits(left: PriceComponent, right: PriceComponent): boolean {
  if (left.units === undefined || right.units === undefined) return false;
  const [first, second] = left.units.from <= right.units.from ? [left.units, right.units] : [right.units, left.units];
  return (first.to ?? Number.POSITIVE_INFINITY) < second.from;
}

/** Tells whether two sets of conditions can hold together: every name in both has a value that satisfies both. */
function canMeetTogether(model: Model, left: PriceComponent, right: PriceComponent): boolean {
  for (const [name, condition] of Object.entries(left.when ?? {})) {
    const rival = right.when?.[name];
    if (rival === undefined) continue;
    const shared = candidates(model, name, [condition, rival]).some((value) => {
      const present = isPresent(value);
      return meets(condition, value, present) && meets(rival, value, present);
    });
    if (!shared) return false;
  }
  return true;
}

function candidates(model: Model, name: string, conditions: readonly Condition[]): JsonValue[] {
  const schema = model.parameters[name] as Schema | undefined;
  const values: JsonValue[] = conditions.flatMap(boundaryValues);
  if (name === 'mode') return [...MODES];
  if (name === 'action') return ['create', ...model.actions];
  if (schema?.enum !== undefined) return [...schema.enum, ...(schema.default === null ? [null] : [])];
  if (schema?.type === 'boolean' || name === 'video_input')
    return [true, false, ...(schema?.default === null ? [null] : [])];
  if (schema !== undefined) values.push('another value', null);
  if (conditions.some(isBounds)) values.push(0, 1e9);
  return values;
}
