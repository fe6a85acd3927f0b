import type { JsonObject } from '../base/canonical-json.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import { deflateKeep } from './deflated-keep.ts';
import { packRequest } from './packed-request.ts';
import type { Route } from './route.ts';
import type { StoredOutput } from './task.ts';
import type { TaskSettings } from './task-services.ts';

/** The text of `request_json`. @param input what is stored beside it */
export function storedRequest(
  { shortRowsFrom }: Pick<TaskSettings, 'shortRowsFrom'>,
  request: ResolvedRequest,
  input: JsonObject,
  now: number,
): string {
  return JSON.stringify((now < shortRowsFrom ? null : packRequest(request, input)) ?? request);
}

/** The text of `keep_json`. @param keep JSON text */
export function storedKeep(
  { shortRowsFrom }: Pick<TaskSettings, 'shortRowsFrom'>,
  keep: string | null,
  now: number,
): string | null {
  return keep === null || now < shortRowsFrom ? keep : deflateKeep(keep);
}

/** The text of `outputs_json`: without fields that are null, which readers fill in. */
export function storedOutputs(
  { shortRowsFrom }: Pick<TaskSettings, 'shortRowsFrom'>,
  outputs: readonly StoredOutput[],
  now: number,
): string {
  return JSON.stringify(now < shortRowsFrom ? outputs : outputs.map(withoutNulls));
}

function withoutNulls(output: StoredOutput): Partial<StoredOutput> {
  return Object.fromEntries(Object.entries(output).filter(([, value]) => value !== null));
}

/** The text of `route_json`: without the parts that every reader takes for empty. */
export function storedRoute({ model, parameters, fixed, ...rest }: Route): string {
  return JSON.stringify({
    ...rest,
    ...(model === null ? {} : { model }),
    ...(parameters === null ? {} : { parameters }),
    ...(Object.keys(fixed).length === 0 ? {} : { fixed }),
  });
}
