import { type Check, type Config, vaultOf } from '../../kernel.ts';
import { countSealed, type SealedKey } from './stored-keys.ts';

/** Checks whether the upstream keys of customers can be opened with the operator's keys. */
export function diagnoseUpstreamKeys(config: Pick<Config, 'secretsKey'>, sealed: readonly SealedKey[]): Check {
  const { opened, withPrevious, lost } = countSealed(sealed, vaultOf(config));
  const name = 'upstream keys of customers';
  if (lost > 0) {
    const found = `${lost} of ${sealed.length} cannot be opened; their orders fail`;
    const advice =
      'Set DARKROOM_SECRETS_KEY to the key that sealed them, or name it there as the second. If it is lost, the customers must set their keys again.';
    return { name, status: 'failed', found, advice };
  }
  const found = `${opened + withPrevious} can be opened`;
  if (withPrevious === 0) return { name, status: 'ok', found, advice: null };
  const rest = `${found}, ${withPrevious} of them only with the second key of DARKROOM_SECRETS_KEY`;
  const advice = 'Keep the key before: a running worker seals them again within minutes.';
  return { name, status: 'warning', found: rest, advice };
}
