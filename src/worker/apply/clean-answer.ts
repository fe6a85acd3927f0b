import { cleanText, isCleanText, type JsonValue } from '@darkroom-service/contract';
import {
  type Checked,
  type Delivery,
  type Engine,
  EngineError,
  type Order,
  type Started,
} from '@darkroom-service/engines';
import type { Answer, UpstreamJob } from '../spool/answer.ts';

const LONGEST_NAME = 100;
const LONGEST_MESSAGE = 2_000;

/**
 * Cleans the texts of an engine's answer to an order, which end in tasks, webhooks and lists.
 * @throws EngineError `took: 'unknown'` for a job id that is no text
 */
export function answerOf(started: Started, engine: Engine, order: Order): Answer {
  if ('done' in started) return { kind: 'delivery', delivery: cleanDelivery(started.done) };
  return { kind: 'operation', operation: started.operation, job: jobOf(engine, started.operation, order) };
}

/** Cleans the texts of an engine's answer to a check. */
export function cleanChecked(checked: Checked): Checked {
  switch (checked.status) {
    case 'succeeded':
      return { ...checked, delivery: cleanDelivery(checked.delivery) };
    case 'failed':
      return { ...checked, error: { ...checked.error, message: cleanText(checked.error.message, LONGEST_MESSAGE) } };
    default:
      return checked;
  }
}

/**
 * Returns the upstream's job id of an order; null if it has none. An id is not cleaned: a changed id would be asked for
 * ever after, or be that of another order.
 * @throws EngineError `took: 'unknown'` for one with NUL or half characters
 */
export function jobOf(engine: Engine, operation: JsonValue, order: Order): UpstreamJob | null {
  const name = engine.jobOf?.(operation, order) ?? null;
  if (name === null) return null;
  if (!isCleanText(name))
    throw new EngineError('upstream', `${engine.name} gave the order an id with characters that are no text`, {
      took: 'unknown',
      answered: JSON.stringify(name),
    });
  return { engine: engine.name, name };
}

function cleanDelivery(delivery: Delivery): Delivery {
  const { outputs, named } = delivery;
  return {
    ...delivery,
    outputs: outputs.map((output) => ({
      ...output,
      revisedPrompt: output.revisedPrompt === null ? null : cleanText(output.revisedPrompt),
    })),
    ...(named === undefined
      ? {}
      : {
          named: {
            ...(named.quality === undefined ? {} : { quality: cleanText(named.quality, LONGEST_NAME) }),
            ...(named.model === undefined ? {} : { model: cleanText(named.model, LONGEST_NAME) }),
          },
        }),
  };
}
