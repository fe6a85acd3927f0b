import type { JsonValue } from '@darkroom-service/contract';
import { ACTIONS, type CatalogRoute, type Model, rulesOf, type Schema } from '@darkroom-service/contract/catalog';
import { derivedNamesOf } from './derive.ts';

/**
 * Returns the faults of an entry's routes: every name must be a parameter (of the model or of one of its actions) or a
 * derived value, and every value must be possible. `when` is checked as in constraints.
 */
export function checkRoutes(model: Model): string[] {
  const { fields } = model.compiled;
  const derived = derivedNamesOf(fields.lists);
  const ofActions = new Set(model.actions.flatMap((action) => Object.keys(ACTIONS[action].parameters)));
  const isKnown = (name: string) => fields.parameters.has(name) || derived.has(name) || ofActions.has(name);
  return model.routes.flatMap((route, index) => {
    const named = namesOf(route).map(([path, name]) => [`routes[${index}].${path}`, name] as const);
    return [
      ...named
        .filter(([, name]) => !isKnown(name))
        .map(([path, name]) => `${path} names ${name}, which is neither a parameter nor a derived value`),
      ...checkWords(model, route).map((message) => `routes[${index}].parameters: ${message}`),
    ];
  });
}

function namesOf(route: CatalogRoute): [string, string][] {
  const rules = rulesOf(route.parameters ?? {});
  return [
    ...(route.without ?? []).map((name): [string, string] => ['without', name]),
    ...(route.covers ?? []).map((name): [string, string] => ['covers', name]),
    ...rules.flatMap(({ sources, beside, rule }) =>
      [...sources, ...beside, ...Object.keys(rule.when ?? {})].map((name): [string, string] => ['parameters', name]),
    ),
  ];
}

/** A translation of a value that a parameter can never have is a typing error. */
function checkWords(model: Model, route: CatalogRoute): string[] {
  return rulesOf(route.parameters ?? {}).flatMap(({ sources, rule }) => {
    const [source = ''] = sources;
    const allowed = (model.parameters[source] as Schema | undefined)?.enum as readonly JsonValue[] | undefined;
    if (rule.values === undefined || rule.text !== undefined || allowed === undefined) return [];
    const spelled = allowed.map(String);
    return Object.keys(rule.values)
      .filter((value) => !spelled.includes(value))
      .map((value) => `${source} is never ${JSON.stringify(value)} (${spelled.join(', ')})`);
  });
}
