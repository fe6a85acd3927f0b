import { LocalFault } from './local-fault.ts';
import type { EngineBuild, Manifests, ModelManifest } from './manifest.ts';

/** Name of the variant that pulls the model without an engine. */
const NO_BUILD = 'none';

/**
 * Chooses the engine's build for a platform: the named variant, or else the first that suits the machine.
 * @param platform `process.platform` and `process.arch`, such as `linux-x64`.
 * @param suitable variants that suit the machine, the best first
 * @returns null for the variant `none`.
 * @throws LocalFault if there is none.
 */
export function chooseBuild(
  { engines }: Manifests,
  { engine: name }: ModelManifest,
  platform: string,
  variant: string | null,
  suitable: readonly string[],
): EngineBuild | null {
  if (variant === NO_BUILD) return null;
  const builds = engines.get(name)?.builds ?? [];
  const own = builds.filter((build) => build.platform === platform);
  const best = suitable.flatMap((one) => own.filter((build) => build.variant === one))[0] ?? own[0];
  const chosen = variant === null ? best : own.find((build) => build.variant === variant);
  if (chosen !== undefined) return chosen;
  const platforms = [...new Set(builds.map((build) => build.platform))].join(', ') || 'none';
  const found = own.length === 0 ? `no build for ${platform} (only for ${platforms})` : `no build "${variant}"`;
  const accepted = own.map((build) => build.variant).concat(NO_BUILD);
  throw new LocalFault(
    `${name} has ${found}. Supported builds: ${accepted.join(', ')}. With none, only the model is pulled.`,
  );
}
