import { isoTime } from '@darkroom-service/contract';
import { type Check, ConfigFault, type Question } from '@darkroom-service/darkroom/kernel';
import { MARK_SETTINGS } from './provenance-settings.ts';
import { readIdentity } from './signing-identity.ts';

const SOON_MS = 30 * 86_400_000;

/** Reports the marks of outputs, and whether the certificate is valid for another month. */
export function diagnoseProvenance({ config, now }: Pick<Question, 'config' | 'now'>): Check[] {
  const provenance = config.of(MARK_SETTINGS);
  const name = 'provenance';
  try {
    const identity = readIdentity(provenance, now);
    const setting = provenance.setting ?? 'metadata for what is made here, off for the rest';
    if (identity === null) return [{ name, status: 'ok', found: setting, advice: null }];
    const found = `${setting}; the certificate is valid until ${isoTime(identity.validUntil)}`;
    if (identity.validUntil - now > SOON_MS) return [{ name, status: 'ok', found, advice: null }];
    return [{ name, status: 'warning', found, advice: 'Renew it: outputs are not signed with an expired one.' }];
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return [{ name, status: 'failed', found: error.message, advice: 'See docs/configuration.md.' }];
  }
}
