import { createHmac } from 'node:crypto';
import type { ConfiguredEngines, Engine } from '@darkroom-service/engines';
import type { ProcessFacts } from '../database/process-facts.ts';
import type { Config } from './config/config.ts';

/**
 * Returns digests of the keys and addresses of the configured upstreams, by engine, so that processes can compare them.
 * @param secret secret of the installation: without it nobody can try keys against a digest
 */
export function keyDigests(
  { upstreams, engineInstances }: Pick<ConfiguredEngines, 'upstreams' | 'engineInstances'>,
  secret: string,
): ProcessFacts['keys'] {
  const named = engineInstances.flatMap(({ name, upstreams: own }) =>
    own === null ? [] : accessesOf(own).map(([, access]) => [name, access] as const),
  );
  return Object.fromEntries(
    [...accessesOf(upstreams), ...named].map(([engine, access]) => [engine, digestOf(access, secret)]),
  );
}

/**
 * Returns a digest of the storage's address and credentials. Directories are not compared: a shared one may have
 * another path on each machine.
 */
export function storageDigest({ storageUrl, s3 }: Pick<Config, 'storageUrl' | 's3'>, secret: string): string {
  return digestOf(storageUrl === null ? 'directory' : [storageUrl, s3], secret);
}

function digestOf(settings: unknown, secret: string): string {
  return createHmac('sha256', secret).update(JSON.stringify(settings)).digest('hex').slice(0, 16);
}

function accessesOf({ fal, replicate, vendors, azureOpenai, vertex }: ConfiguredEngines['upstreams']) {
  const all = { fal, replicate, ...vendors, 'azure-openai': azureOpenai, vertex };
  return Object.entries(all).filter(([, access]) => access !== null);
}

/** Returns the spend limits of the operator's settings, by engine. */
export function spendLimitsOf(engines: ReadonlyMap<string, Engine>): ProcessFacts['spendLimits'] {
  return Object.fromEntries(
    [...engines.values()].flatMap(({ name, instance }) =>
      instance === undefined ? [] : [[name, instance.spendLimits]],
    ),
  );
}
