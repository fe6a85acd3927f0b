import { readServiceAccount, type ServiceAccount } from '@darkroom-service/engines';
import { Type } from 'typebox';
import { text, type ValuesOf, webAddress } from './variable-types.ts';

/** Variables of the engine `vertex`: a service account, and the location in which its project's orders are made. */
export const VERTEX_VARIABLES = {
  DARKROOM_VERTEX_CREDENTIALS: Type.Optional(
    text(
      {
        expected: "a service account's JSON, or the path of its file",
        description: 'The service account of the engine `vertex`. Setting it switches the engine on.',
        secret: true,
      },
      (given) => readServiceAccount(given) !== null,
    ),
  ),
  DARKROOM_VERTEX_LOCATION: Type.Optional(
    text(
      {
        expected: 'a location such as global or us-central1',
        description: 'The location of the engine `vertex`. Unset: `global`.',
      },
      (location) => /^[a-z0-9-]+$/.test(location),
    ),
  ),
  DARKROOM_VERTEX_URL: webAddress(
    'https://us-central1-aiplatform.googleapis.com',
    "The upstream URL of the engine `vertex`. Unset: Google's own for the location.",
  ),
} as const;

/** The configuration of the engine `vertex`. */
export interface VertexConfig {
  readonly account: ServiceAccount;
  readonly location: string;
  /** Null: Google's own endpoint of the location. */
  readonly url: string | null;
  readonly variable: string;
}

/** Returns null without a service account. */
export function vertexOf(values: Partial<ValuesOf<typeof VERTEX_VARIABLES>>): VertexConfig | null {
  const { DARKROOM_VERTEX_CREDENTIALS: given, DARKROOM_VERTEX_LOCATION: location, DARKROOM_VERTEX_URL: url } = values;
  const account = given === undefined ? null : readServiceAccount(given);
  if (account === null) return null;
  return { account, location: location ?? 'global', url: url ?? null, variable: 'DARKROOM_VERTEX_CREDENTIALS' };
}
