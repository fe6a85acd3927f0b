import type { ApiError } from '../../api/api-error.ts';
import type { CatalogModel } from '../../api/model.ts';
import { withFieldLabel } from '../../texts/studio-labels.ts';
import type { BatchEntry } from './batch-body.ts';

/** Orders that the service refuses for the same reason. */
export interface RefusedEntries {
  readonly model: string;
  readonly message: string;
  /** As JSON. */
  readonly bodies: readonly string[];
}

/** Returns the refused orders of a quote by model and reason; empty if the error is about something else. */
export function refusedEntries(
  { details }: ApiError,
  entries: readonly BatchEntry[],
  models: readonly CatalogModel[],
): readonly RefusedEntries[] {
  const groups = new Map<string, { model: string; message: string; bodies: Set<string> }>();
  for (const { param, message } of details) {
    const index = Number(/^orders\[(\d+)\]/.exec(param ?? '')?.[1] ?? -1);
    const [entry, model] = [entries[index], models[index]];
    if (entry === undefined || model === undefined) continue;
    const reason = withFieldLabel(message.replace(/^orders\[\d+\]: /, ''));
    const known = groups.get(`${model.model_id} ${reason}`) ?? {
      model: model.name,
      message: reason,
      bodies: new Set(),
    };
    known.bodies.add(JSON.stringify(entry.body));
    groups.set(`${model.model_id} ${reason}`, known);
  }
  return [...groups.values()].map((group) => ({ ...group, bodies: [...group.bodies] }));
}
