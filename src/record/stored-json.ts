import type { JsonObject } from '@darkroom-service/contract';
import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import { deflateKeep } from './deflated-keep.ts';
import { packRequest } from './packed-request.ts';
import type { Route } from './route.ts';
import type { StoredOutput } from './task.ts';

/** Returns the text of `request_json`. @param input the input that is stored beside it */
export function storedRequest(request: ResolvedRequest, input: JsonObject): string {
  return JSON.stringify(packRequest(request, input) ?? request);
}

/** Returns the text of `keep_json`. @param keep JSON text */
export function storedKeep(keep: string | null): string | null {
  return keep === null ? null : deflateKeep(keep);
}

/** Returns the text of `outputs_json`: without fields that are null, which readers fill in. */
export function storedOutputs(outputs: readonly StoredOutput[]): string {
  return JSON.stringify(outputs.map(withoutNulls));
}

function withoutNulls(output: StoredOutput): Partial<StoredOutput> {
  return Object.fromEntries(Object.entries(output).filter(([, value]) => value !== null));
}

/** Returns the text of `route_json`: without the parts that every reader assumes to be empty. */
export function storedRoute({ model, parameters, fixed, ...rest }: Route): string {
  return JSON.stringify({
    ...rest,
    ...(model === null ? {} : { model }),
    ...(parameters === null ? {} : { parameters }),
    ...(Object.keys(fixed).length === 0 ? {} : { fixed }),
  });
}
