import type { Check, Config, Observation } from '@darkroom-service/darkroom/kernel';
import { createTrustedFetch } from '@darkroom-service/media';
import { PEOPLE_SETTINGS } from './people-settings.ts';
import { Provider } from './provider/provider.ts';
import { ProviderFault } from './provider/provider-fault.ts';

/** Asks the sign-in provider for its metadata, and compares the issuer with the configured one. */
export async function diagnosePeople({
  config,
  now,
}: {
  readonly config: Pick<Config, 'of' | 'outgoing'>;
  readonly now: number;
}): Promise<Check[]> {
  const { provider, groupsClaim } = config.of(PEOPLE_SETTINGS);
  if (provider === null) return [];
  const trusted = createTrustedFetch(config.outgoing);
  const options = { redirectUri: '', signedOutUri: '', needsVerified: false, fetch: trusted.fetch, now: () => now };
  try {
    const opened = await Provider.open({ ...options, provider, groupsClaim });
    const named = await opened.readIssuer();
    const found = `the provider at ${named} answers; groups come in the claim ${groupsClaim}`;
    return [{ name: 'sign-in', status: 'ok', found, advice: null }];
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return [{ name: 'sign-in', ...failureOf(error) }];
  } finally {
    await trusted.close();
  }
}

function failureOf({ message, issuers }: ProviderFault): Observation {
  if (issuers === null)
    return {
      status: 'failed',
      found: message,
      advice: 'Check DARKROOM_OIDC_ISSUER: its metadata are read at /.well-known/openid-configuration below it.',
    };
  return {
    status: 'failed',
    found: `DARKROOM_OIDC_ISSUER is ${issuers.expected}, and the provider there names itself ${issuers.found}`,
    advice: 'Set DARKROOM_OIDC_ISSUER to the issuer that the provider names.',
  };
}
