import type { TSchema } from 'typebox';
import { wordingOf } from './config-variables.ts';
import type { UpstreamConfigs } from './engine-variables.ts';

/** A plain word, which is not treated as a secret: any line may contain it. */
const WORD = /^[a-z]*$/i;
const LEAST_CHARACTERS = 8;
/** Minimum length of a URL's path that is treated as a secret: longer paths may be all that a receiver asks for. */
const LEAST_PATH = 16;

/**
 * Returns the secrets among the values of variables: the values marked as secret, and the secret parts of addresses.
 */
export function secretsOfVariables(
  variables: Readonly<Record<string, TSchema>>,
  values: Readonly<Record<string, unknown>>,
): string[] {
  const marked = Object.keys(variables).filter((name) => wordingOf(variables[name] as TSchema).secret === true);
  return marked
    .flatMap((name) => values[name] ?? [])
    .flatMap((value) => (typeof value === 'string' ? secretsOfText(value) : []))
    .filter((secret) => secret.length >= LEAST_CHARACTERS && !WORD.test(secret));
}

/** Returns the credentials of configured upstreams. */
export function secretsOfUpstreams(configured: UpstreamConfigs | null): string[] {
  if (configured === null) return [];
  const { fal, replicate, vendors, azureOpenai, vertex, comfyui, sdServer } = configured;
  const keys = [fal, replicate, azureOpenai, ...Object.values(vendors)].map((access) => access?.key);
  const all = [...keys, vertex?.account.privateKey, comfyui?.authorization, sdServer?.authorization];
  return all.filter((secret) => typeof secret === 'string');
}

/** Returns the secrets in a text. The name of a file, and JSON, are no secrets themselves. */
function secretsOfText(text: string): string[] {
  if (/^[/{]/.test(text)) return [];
  const url = /^[a-z]+:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) return [text];
  const path = url.pathname + url.search;
  const isSecretPath = url.protocol.startsWith('http') && path.length >= LEAST_PATH;
  return [url.password, ...(isSecretPath ? [path] : [])];
}
