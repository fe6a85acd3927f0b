import type { SigningSecretsView } from '@darkroom-service/contract';
import type { Act } from '../../accounts/audit.ts';
import {
  edgeKeyOf,
  readSigningSecret,
  rotatedUntil,
  rotateSigningSecrets,
  type SigningSecrets,
} from '../../accounts/signing-secrets.ts';
import type { Database } from '../../database/database.ts';
import type { Hold } from '../../installation/operated-hold.ts';

/** Secrets of the installation that sign file URLs, share links and client tokens. */
export interface Secrets {
  /**
   * Replaces the secrets. What the previous ones signed stays valid for a time, in milliseconds.
   * @example await kernel.installation.secrets.rotate(by, { graceMs: 86_400_000 });
   */
  rotate(by: Act, options: { readonly graceMs: number }): Promise<SigningSecretsView>;
  /**
   * Returns the answer to a rotation, for a repeated request.
   * @param subject as the rotation has bound it
   * @example const { previous_until: until } = await kernel.installation.secrets.rotated('1795000000000');
   */
  rotated(subject: string): Promise<SigningSecretsView>;
  /**
   * Returns the keys with which a CDN verifies file URLs.
   * @example const [first] = await kernel.installation.secrets.edgeKeys(kernel.clock.now());
   */
  edgeKeys(now: number): Promise<readonly string[]>;
}

/** The installation as its operators change it. */
export interface Installation {
  /**
   * Secrets that sign file URLs, share links and client tokens.
   * @example await kernel.installation.secrets.rotate(by, { graceMs: 0 });
   */
  readonly secrets: Secrets;
  /**
   * Whether orders and webhooks are sent.
   * @example const { reason } = kernel.installation.hold;
   */
  readonly hold: Hold;
  /**
   * Loads the files of the catalog again.
   * @throws CatalogFault, and the current catalog stays
   * @example await kernel.installation.reloadCatalog();
   */
  reloadCatalog(): Promise<void>;
}

/** Opens the signing secrets. @param own the secrets of this process, which read a change at once; left out = none */
export function openSecrets(
  database: Pick<Database, 'read' | 'write'>,
  own?: Pick<SigningSecrets, 'refresh'>,
): Secrets {
  return {
    async rotate(by, options) {
      const rotated = await rotateSigningSecrets(database, by, options);
      await own?.refresh();
      return rotated;
    },
    async rotated(subject) {
      await own?.refresh();
      return rotatedUntil(subject);
    },
    edgeKeys: async (now) => (await readSigningSecret(database.read, 'file_signature', now)).accepted.map(edgeKeyOf),
  };
}

/** Opens the installation for additions. */
export function openInstallation({
  services: { database },
  signingSecrets,
  hold,
  reloadCatalog,
}: {
  readonly services: { readonly database: Pick<Database, 'read' | 'write'> };
  readonly signingSecrets: Pick<SigningSecrets, 'refresh'>;
  readonly hold: Hold;
  readonly reloadCatalog: () => Promise<void>;
}): Installation {
  return { secrets: openSecrets(database, signingSecrets), hold, reloadCatalog: () => reloadCatalog() };
}
