import type { JsonValue } from '@darkroom-service/contract';
import { EngineError } from '../engine.ts';
import { objectOf } from './json-object.ts';
import type { Upstream } from './upstream-call.ts';

/**
 * Reads the names from a list of models: `id` or `name` of each entry.
 * @param list the entries, if the answer is what was expected
 * @throws EngineError if it is not
 */
export function namesIn(upstream: string, list: JsonValue | undefined): ReadonlySet<string> {
  if (!Array.isArray(list))
    throw new EngineError('upstream', `${upstream} answered no list of models`, { took: 'yes' });
  return new Set(
    list.flatMap((entry: JsonValue) => {
      const { id, name } = objectOf(entry);
      const found = id ?? name;
      return typeof found === 'string' ? [found.replace(/^models\//, '')] : [];
    }),
  );
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
): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(
    asked.map(async (model) => ({
      model,
      answer: await upstream.call({ url: pathOf(model), signal, accept: [404] }),
    })),
  );
  return new Set(
    answers.flatMap(({ model, answer }) => (answer.status !== 404 && isThere(answer.body, model) ? [model] : [])),
  );
}
