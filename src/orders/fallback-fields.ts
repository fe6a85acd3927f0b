import type { Fault, JsonValue } from '@darkroom-service/contract';
import { describeValue } from './describe-value.ts';

/** The further models that an order names. */
export interface Fallback {
  /** Names as they were sent, in sequence: one to four. */
  readonly models: readonly string[];
  /** Whether the order also goes on to the next model when an upstream refuses its content. */
  readonly afterContentPolicy: boolean;
}

const MOST_MODELS = 4;

/**
 * Returns the further models that an order names; null if there are none, or a fault.
 * @param models the field `fallback_models`
 * @param onContentPolicy the field `fallback_on_content_policy`
 * @param modelId the field `model_id`
 */
export function readFallback(
  models: JsonValue | undefined,
  onContentPolicy: JsonValue | undefined,
  modelId: JsonValue | undefined,
  faults: Fault[],
): Fallback | null {
  const invalid = (param: string, message: string) => {
    faults.push({ param, code: 'invalid_request', message: `${param}: ${message}.` });
    return null;
  };
  const param = 'fallback_models';
  const mode = onContentPolicy ?? false;
  if (typeof mode !== 'boolean')
    return invalid('fallback_on_content_policy', `expected true or false, found ${describeValue(mode)}`);
  const names = models ?? [];
  if (!Array.isArray(names)) return invalid(param, `expected a list of models' ids, found ${describeValue(names)}`);
  if (names.length > MOST_MODELS)
    return invalid(param, `expected at most ${MOST_MODELS} models, found ${names.length}`);
  for (const [at, name] of names.entries()) {
    if (typeof name !== 'string' || name === '')
      return invalid(`${param}[${at}]`, `expected the id of a model, found ${describeValue(name)}`);
    if (name === modelId || names.indexOf(name) !== at)
      return invalid(`${param}[${at}]`, `the order names ${name} twice. Name each model once`);
  }
  if (names.length > 0) return { models: names as string[], afterContentPolicy: mode };
  return mode ? invalid('fallback_on_content_policy', `needs ${param} beside it`) : null;
}
