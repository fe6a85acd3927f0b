import { Type } from 'typebox';
import { createVault, readVaultKey, type Vault } from '../../base/vault.ts';
import { decimal, dollars, microsOf, texts, type ValuesOf } from './variable-types.ts';

/** Variables for customers' secrets and for upstream accounts of their own. */
export const OWNED_INSTANCE_VARIABLES = {
  DARKROOM_SECRETS_KEY: Type.Optional(
    texts(
      {
        expected:
          '32 bytes in base64, such as `openssl rand -base64 32` prints; at most two keys, separated by a comma',
        secret: true,
        description:
          'Seals what customers entrust: upstream keys, destinations and presigned URLs. During a rotation the new key and the one before, whose secrets are sealed again. Unset: none are accepted.',
      },
      (keys) => keys.length > 0 && keys.length <= 2 && keys.every((key) => readVaultKey(key) !== null),
    ),
  ),
  DARKROOM_UPSTREAM_KEY_FEE: dollars('0.002', "What an order with the customer's own upstream key costs.", '0'),
  DARKROOM_UPSTREAM_KEY_FEE_PERCENT: decimal(
    0,
    100,
    'A percentage of the price in the catalog, in addition to that amount.',
    0,
  ),
} as const;

type OwnedInstanceConfig = Readonly<ReturnType<typeof ownedInstancesOf>>;

export function ownedInstancesOf(values: Partial<ValuesOf<typeof OWNED_INSTANCE_VARIABLES>>) {
  const [current, previous = null] = values.DARKROOM_SECRETS_KEY ?? [];
  return {
    /** The operator's keys in base64; null = none is set. */
    secretsKey: current === undefined ? null : { current, previous },
    /** Price of an order at an engine of its account. */
    instanceFee: {
      amount: microsOf(values.DARKROOM_UPSTREAM_KEY_FEE) ?? 0,
      /** Share of the catalog's price, as a decimal string. */
      share: ((values.DARKROOM_UPSTREAM_KEY_FEE_PERCENT ?? 0) / 100).toFixed(9).replace(/\.?0+$/, ''),
    },
  };
}

/** Returns the vault that seals and opens secrets with the operator's keys; null if no key is set. */
export function vaultOf({ secretsKey }: Pick<OwnedInstanceConfig, 'secretsKey'>): Vault | null {
  if (secretsKey === null) return null;
  const current = readVaultKey(secretsKey.current);
  if (current === null) throw new Error('DARKROOM_SECRETS_KEY was not checked');
  return createVault(current, secretsKey.previous === null ? null : readVaultKey(secretsKey.previous));
}
