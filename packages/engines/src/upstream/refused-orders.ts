import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  type Checked,
  EngineError,
  type EngineErrorClass,
  FAILURE_CODES,
  type Order,
  type TaskFailure,
} from '../engine.ts';
import type { ReportedCost } from '../reported-cost.ts';
import type { Unmade } from './unmade.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An operation whose end is known already: its first check returns it. */
interface EndedOperation extends JsonObject {
  readonly verdict: JsonObject & Pick<TaskFailure, 'code' | 'message'>;
}

/** Returns the operation of an order for which the upstream made nothing. */
export function endedOperation(
  { refused, upstreamCost }: Unmade & { readonly upstreamCost?: ReportedCost },
  { name, secrets }: { readonly name: string; readonly secrets: readonly string[] },
): EndedOperation {
  const message = `${name}: ${withoutSecrets(refused.message, secrets)}`;
  const verdict = { code: FAILURE_CODES[refused.class], message };
  return { verdict, ...(upstreamCost && { cost: { ...upstreamCost } }) };
}

/** Returns the end that an operation holds; null if its upstream must be asked. */
export function endIn(operation: JsonValue): Extract<Checked, { status: 'failed' }> | null {
  const { verdict, cost } = operation as Partial<EndedOperation> & { readonly cost?: ReportedCost };
  return verdict === undefined ? null : { status: 'failed', error: verdict, ...(cost && { upstreamCost: cost }) };
}

/** Fields of a request that neither the customer nor the route's `fixed` sets. */
const OF_ROUTE = ['model', 'model_name', 'model_id'];

/**
 * Turns the refusal of fields that the customer did not fill, such as a model that the upstream no longer has, into a
 * fault of the route.
 */
export function asRouteFault(error: unknown, { route }: Order): unknown {
  if (!(error instanceof EngineError) || error.class !== 'invalid_input' || error.took !== 'no') return error;
  const ours = [...OF_ROUTE, ...Object.keys(route.fixed)];
  const isOurs = (field: string) => ours.some((name) => field === name || field.startsWith(`${name}.`));
  if (error.elsewhere || error.fields.length === 0 || !error.fields.every(isOurs)) return error;
  return new EngineError('auth', error.message, { took: 'no', scope: 'route', cause: error });
}

const VERDICTS: readonly EngineErrorClass[] = ['invalid_input', 'content_policy'];

/** Turns the refusal of a question into an error that says nothing about the order: only its state tells that. */
export function asReadingFault(error: unknown): unknown {
  if (!(error instanceof EngineError) || !VERDICTS.includes(error.class)) return error;
  const { message, took, retryAfterMs } = error;
  return new EngineError('upstream', message, { took, retryAfterMs, cause: error });
}
