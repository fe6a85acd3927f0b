import { EngineError } from '../engine.ts';
import type { ListedModels } from '../listed-models.ts';
import { objectOf } from '../upstream/json-object.ts';
import type { Upstream } from '../upstream/upstream-call.ts';

/** Maximum ids of one request (fal.ai/docs/platform-apis/v1/models, 2026-11-26). */
const AT_ONCE = 50;

/**
 * Finds models by their ids with fal's Platform API. Its documentation leaves open the answer to an unknown id, so an
 * id that the answer to a group lacks is requested alone before it counts as gone.
 * @param asked endpoint ids, such as `fal-ai/flux/dev`
 * @returns the ids that fal has, deprecated ones too
 * @throws EngineError if fal cannot be asked
 */
export async function findFalModels(
  platform: Upstream,
  asked: readonly string[],
  signal: AbortSignal,
): Promise<ListedModels> {
  const found = new Set<string>();
  const ask = async (ids: readonly string[]) => {
    const query = new URLSearchParams(ids.map((id) => ['endpoint_id', id]));
    const { status, body } = await platform.call({ url: `/v1/models?${query}`, signal, accept: [404] });
    if (status === 404) return;
    const { models } = objectOf(body);
    if (!Array.isArray(models)) throw new EngineError('upstream', 'fal answered no list of models', { took: 'yes' });
    for (const model of models) found.add(String(objectOf(model).endpoint_id));
  };
  for (let first = 0; first < asked.length; first += AT_ONCE) await ask(asked.slice(first, first + AT_ONCE));
  for (const id of asked) if (!found.has(id)) await ask([id]);
  return new Map(asked.filter((id) => found.has(id)).map((id) => [id, null]));
}
