import { readServiceAccount, type ServiceAccount } from '@darkroom-service/engines/vertex/service-account';
import { type Static, Type } from 'typebox';
import { engineUrl } from './engine-variable-types.ts';

const ACCOUNT = "a service account's JSON, or the path of its file";
const LOCATION = 'a location such as global or us-central1';

/** The settings of the engine `vertex`: a service account, and where its project's orders are made. */
export const VERTEX_VARIABLES = {
  DARKROOM_VERTEX_CREDENTIALS: Type.Optional(
    Type.Refine(
      Type.String({
        expected: ACCOUNT,
        description: 'The service account of the engine `vertex`. Setting it switches the engine on.',
        secret: true,
      }),
      (given) => readServiceAccount(given) !== null,
      () => ACCOUNT,
    ),
  ),
  DARKROOM_VERTEX_LOCATION: Type.Optional(
    Type.Refine(
      Type.String({
        expected: LOCATION,
        description: 'The location of the engine `vertex`. Unset: `global`.',
      }),
      (location) => /^[a-z0-9-]+$/.test(location),
      () => LOCATION,
    ),
  ),
  DARKROOM_VERTEX_URL: engineUrl(
    'https://us-central1-aiplatform.googleapis.com',
    "The upstream URL of the engine `vertex`. Unset: Google's own for the location.",
  ),
} as const;

type Values = { readonly [Name in keyof typeof VERTEX_VARIABLES]?: Static<(typeof VERTEX_VARIABLES)[Name]> };

/** The configuration of the engine `vertex`. */
export interface VertexConfig {
  readonly account: ServiceAccount;
  readonly location: string;
  /** Null: Google's own endpoint of the location. */
  readonly url: string | null;
  readonly variable: string;
}

/** Returns null without a service account. */
export function vertexOf(values: Values): VertexConfig | null {
  const { DARKROOM_VERTEX_CREDENTIALS: given, DARKROOM_VERTEX_LOCATION: location, DARKROOM_VERTEX_URL: url } = values;
  const account = given === undefined ? null : readServiceAccount(given);
  if (account === null) return null;
  return { account, location: location ?? 'global', url: url ?? null, variable: 'DARKROOM_VERTEX_CREDENTIALS' };
}
