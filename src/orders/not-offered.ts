import { ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { TaskServices } from '../tasks/task-services.ts';

/** Reasons why this installation makes no order of a model until its settings, or those of an account, change. */
type Reason = 'no_engine' | 'below_cost' | 'own_key' | 'ended';

/**
 * Returns the refusal of a model that this installation does not make by its settings, which names those that are
 * missing.
 */
export function notOffered({ settings }: Pick<TaskServices, 'settings'>, model: Model, reason: Reason): ServiceError {
  const name = model.model_id;
  const missing = { no_engine: settingsFor(settings, model), below_cost: [BELOW_COST], own_key: [], ended: [] }[reason];
  const message = {
    no_engine: `${name} is not offered here: no engine that makes it is set up${missing.length === 0 ? '' : ` (missing: ${missing.join(' or ')})`}. Use a test key, or a model from GET /v1/models.`,
    below_cost: `${name} is not offered with these values: each upstream that is open to this account costs more than the price, and ${BELOW_COST} does not allow that. Try other values, or a model from GET /v1/models.`,
    own_key: `${name} is not offered with the upstream keys of your account. See GET /v1/account/upstream_keys.`,
    ended: `${name} is not offered any more: its upstream has ended it.${successorOf(model)}`,
  }[reason];
  const { replaced_by } = model;
  const details = reason === 'ended' ? { missing, replaced_by } : { missing };
  return new ServiceError('model_not_offered', message, { param: 'model_id', details: [details] });
}

/** Names a model's successor in a sentence, with a space before it; empty if it has none. */
export function successorOf({ replaced_by }: Model): string {
  return replaced_by === null ? '' : ` Use ${replaced_by} instead.`;
}

const BELOW_COST = 'DARKROOM_BELOW_COST_MODELS';

/** Returns the settings of which one would set up an engine for a model. */
function settingsFor({ switches, liveEngines }: TaskServices['settings'], { routes }: Model): string[] {
  const kinds = [...new Set(routes.map(({ engine }) => engine))];
  const names = kinds.flatMap((kind) => switches[kind] ?? []);
  return liveEngines === null ? names : [...names, 'DARKROOM_ENGINES'];
}
