import { FetchFault } from '@darkroom-service/media';
import { differenceIn, type IssuerDifference } from './issuers.ts';

/**
 * Reason why a sign-in or a check failed. `refused`: permanently; `away`: the provider does not answer as it should.
 */
export class ProviderFault extends Error {
  readonly kind: 'refused' | 'away';
  /** Issuers that differ, for the log and the doctor, if the sign-in failed because of that. */
  readonly issuers: IssuerDifference | null;

  constructor(kind: ProviderFault['kind'], message: string, cause?: unknown, issuers: ProviderFault['issuers'] = null) {
    super(message, { cause });
    this.kind = kind;
    this.issuers = issuers;
  }
}

interface Faults {
  readonly ResponseBodyError: abstract new (
    ...args: never[]
  ) => Error & { readonly error: string; readonly status: number };
  readonly AuthorizationResponseError: abstract new (...args: never[]) => Error & { readonly error: string };
  readonly WWWAuthenticateChallengeError: abstract new (...args: never[]) => Error;
}

/**
 * Returns the fault of a refusal. Its messages contain nothing that the provider or the browser sent, except an OAuth
 * code.
 */
export function refusalOf(error: unknown, faults: Faults): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (error instanceof faults.AuthorizationResponseError)
    return new ProviderFault('refused', `The provider refused the sign-in (${codeOf(error.error)}).`, error);
  if (error instanceof faults.ResponseBodyError) {
    if (error.status >= 500) return away(error);
    return new ProviderFault('refused', `The provider refused the sign-in (${codeOf(error.error)}).`, error);
  }
  if (error instanceof faults.WWWAuthenticateChallengeError)
    return new ProviderFault('refused', 'The provider no longer accepts this sign-in.', error);
  const chain = causesOf(error);
  if (chain.some((one) => one instanceof FetchFault || isUnexpectedStatus(one) || isTimeout(one))) return away(error);
  const issuers = differenceIn(chain);
  if (issuers !== null)
    return new ProviderFault(
      'refused',
      'The provider names another issuer than this service expects. Tell its operators: the log has both, and so has darkroom doctor.',
      error,
      issuers,
    );
  return new ProviderFault('refused', 'The answer of the provider did not pass the checks of this sign-in.', error);
}

function away(error: unknown): ProviderFault {
  return new ProviderFault('away', 'The sign-in provider does not answer.', error);
}

function codeOf(code: unknown): string {
  return typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? code : 'unknown reason';
}

function isUnexpectedStatus(error: unknown): boolean {
  return (error as { code?: unknown })?.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
}

function isTimeout(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT' || code === 'ERR_JWKS_TIMEOUT';
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < 8; one = (one as { cause?: unknown }).cause)
    chain.push(one);
  return chain;
}
