import type { JsonValue } from '@darkroom-service/contract';
import { EngineError } from '../engine.ts';
import type { ListedModels } from '../listed-models.ts';
import { objectOf } from './json-object.ts';
import type { Upstream } from './upstream-call.ts';

/**
 * Reads a list of models: `id` or `name` of each entry, and the day of its end if the entry states one, as OpenAI's
 * `shutdown_date` does (openai 7.59.0).
 * @param list the entries, if the answer is what was expected
 * @throws EngineError if it is not
 */
export function modelsIn(upstream: string, list: JsonValue | undefined): ListedModels {
  if (!Array.isArray(list))
    throw new EngineError('upstream', `${upstream} answered no list of models`, { took: 'yes' });
  return new Map(
    list.flatMap((entry: JsonValue): [string, string | null][] => {
      const { id, name, shutdown_date: end } = objectOf(entry);
      const found = id ?? name;
      return typeof found === 'string' ? [[found.replace(/^models\//, ''), timeOf(end)]] : [];
    }),
  );
}

function timeOf(end: JsonValue | undefined): string | null {
  const time = typeof end === 'string' ? Date.parse(end) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/**
 * Asks for each model by its name, where the upstream has no complete list.
 * @param asked the upstream's names of the models of the routes
 * @param pathOf the path that describes a model; a 404 there means that the upstream does not have it
 * @param isThere reads other answers, where not every one of them describes the model
 * @throws EngineError if the upstream cannot be asked
 */
export async function namesFound(
  upstream: Upstream,
  asked: readonly string[],
  pathOf: (model: string) => string,
  signal: AbortSignal,
  isThere: (body: JsonValue | undefined, model: string) => boolean = () => true,
): Promise<ListedModels> {
  const answers = await Promise.all(
    asked.map(async (model) => ({
      model,
      answer: await upstream.call({ url: pathOf(model), signal, accept: [404] }),
    })),
  );
  return new Map(
    answers.flatMap(({ model, answer }) =>
      answer.status !== 404 && isThere(answer.body, model) ? [[model, null] as const] : [],
    ),
  );
}
