import { type Micros, parseMicros } from '@darkroom-service/contract/money';
import { type Static, Type } from 'typebox';
import { createVault, readVaultKey, type Vault } from '../../base/vault.ts';

const amount = 'an amount of US dollars such as 0.002';

/** The settings of upstream keys that customers bring. */
export const UPSTREAM_KEY_VARIABLES = {
  DARKROOM_SECRETS_KEY: vaultKey(
    'Seals what customers entrust: upstream keys, destinations and presigned URLs. Unset: none are accepted.',
  ),
  DARKROOM_SECRETS_KEY_PREVIOUS: vaultKey(
    'The key before, during a rotation: secrets that it sealed are opened, and sealed again with the new one.',
  ),
  DARKROOM_UPSTREAM_KEY_FEE: Type.Refine(
    Type.String({
      expected: amount,
      description: "What an order with the customer's own upstream key costs.",
      default: '0',
    }),
    (value) => (parseMicros(value) ?? -1) >= 0,
    () => amount,
  ),
  DARKROOM_UPSTREAM_KEY_FEE_PERCENT: Type.Number({
    minimum: 0,
    maximum: 100,
    expected: 'a number from 0 to 100',
    description: 'A percentage of the price in the catalog, in addition to that amount.',
    default: 0,
  }),
} as const;

type Values = {
  readonly [Name in keyof typeof UPSTREAM_KEY_VARIABLES]?: Static<(typeof UPSTREAM_KEY_VARIABLES)[Name]>;
};

/** The settings of upstream keys that customers bring. */
export interface UpstreamKeyConfig {
  /** The operator's keys in base64; null = none is set. */
  readonly secretsKey: { readonly current: string; readonly previous: string | null } | null;
  readonly fee: {
    readonly amount: Micros;
    /** Of the catalog's price, as a decimal string. */
    readonly share: string;
  };
}

export function upstreamKeysOf(values: Values): UpstreamKeyConfig {
  const { DARKROOM_SECRETS_KEY: current, DARKROOM_SECRETS_KEY_PREVIOUS: previous = null } = values;
  return {
    secretsKey: current === undefined ? null : { current, previous },
    fee: {
      amount: parseMicros(values.DARKROOM_UPSTREAM_KEY_FEE ?? '0') ?? 0,
      share: ((values.DARKROOM_UPSTREAM_KEY_FEE_PERCENT ?? 0) / 100).toFixed(9).replace(/\.?0+$/, ''),
    },
  };
}

/** Returns what seals and opens secrets with the operator's keys; null if none is set. */
export function vaultOf({ secretsKey }: Pick<UpstreamKeyConfig, 'secretsKey'>): Vault | null {
  if (secretsKey === null) return null;
  const current = readVaultKey(secretsKey.current);
  if (current === null) throw new Error('DARKROOM_SECRETS_KEY was not checked');
  return createVault(current, secretsKey.previous === null ? null : readVaultKey(secretsKey.previous));
}

function vaultKey(description: string) {
  const expected = '32 bytes in base64, such as `openssl rand -base64 32` prints';
  return Type.Optional(
    Type.Refine(
      Type.String({ expected, description, secret: true }),
      (value) => readVaultKey(value) !== null,
      () => expected,
    ),
  );
}
