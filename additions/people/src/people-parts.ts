import { ServiceError } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import { createTrustedFetch } from '@darkroom-service/media';
import { rolesBy } from './members/read-roles.ts';
import { PEOPLE_SETTINGS, type PeopleConfig } from './people-settings.ts';
import { Provider } from './provider/provider.ts';
import { type ConsoleCookies, consoleCookies } from './session/cookies.ts';
import type { CheckServices } from './sign-in/check-access.ts';

type SignInOptions = Pick<HttpOptions, 'keyring' | 'publicUrl' | 'vaultOf'>;

/** The parts that sign-in needs. */
export interface PeopleParts extends CheckServices {
  readonly kernel: ServingKernel;
  readonly options: SignInOptions;
  readonly cookies: ConsoleCookies;
  readonly rules: PeopleConfig['rules'];
  /** Name of the claim with the groups. */
  readonly groupsClaim: string;
  /** Whether a provider is set up. */
  readonly isOn: boolean;
}

/** Opens the parts of sign-in. The provider is loaded when somebody signs in for the first time. */
export function peopleParts(kernel: ServingKernel, options: SignInOptions, closers: AsyncDisposableStack): PeopleParts {
  const people = kernel.settings.of(PEOPLE_SETTINGS);
  const { publicUrl, keyring } = options;
  let opened: Promise<Provider> | null = null;
  let vault: ReturnType<CheckServices['vault']> | null = null;
  const provider = () => {
    if (people.provider === null)
      throw new ServiceError('not_found', 'This service has no sign-in provider. Sign in with an API key.');
    const { fetch, close } = createTrustedFetch(kernel.settings.outgoing);
    closers.defer(close);
    return Provider.open({
      provider: people.provider,
      groupsClaim: people.groupsClaim,
      needsVerified: people.domains.length > 0,
      redirectUri: `${publicUrl}/console/callback`,
      signedOutUri: `${publicUrl}/`,
      fetch,
      now: () => kernel.clock.now(),
    });
  };
  return {
    kernel,
    options,
    cookies: consoleCookies(publicUrl),
    isOn: people.provider !== null,
    readRoles: rolesBy(people),
    rules: people.rules,
    groupsClaim: people.groupsClaim,
    forget: () => keyring.forget(),
    async provider() {
      opened ??= Promise.resolve().then(provider);
      return await opened.catch((error: unknown) => {
        opened = null;
        throw error;
      });
    },
    async vault() {
      vault ??= options.vaultOf('people');
      return await vault.catch((error: unknown) => {
        vault = null;
        throw error;
      });
    },
  };
}
