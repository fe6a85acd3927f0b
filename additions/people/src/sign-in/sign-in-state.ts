import { hash } from 'node:crypto';
import { SealFault, type Vault } from '@darkroom-service/darkroom/kernel';
import type { SignedIn, SignInChecks } from '../provider/signed-in.ts';
import type { CookieName } from '../session/cookies.ts';

/** Time that a person may spend at the provider, in seconds. */
export const SIGN_IN_SECONDS = 600;
const SUBJECT = 'sign-in';
const ANSWER = 'answer of a sign-in';

/** The sealed state of a sign-in, kept by the browser while its person is at the provider. */
export interface SignInState extends SignInChecks {
  /** Page of the console to return to, such as `/history`. */
  readonly page: string;
  /** Token of an invitation to accept; null = none. */
  readonly invitation: string | null;
  /** Command line that waits on this machine; null = the browser itself signs in. */
  readonly commandLine: { readonly port: number; readonly state: string; readonly challenge: string } | null;
  readonly expiresAt: number;
}

/** The sealed content of a confirmation page: the person whom the provider vouched for in this sign-in. */
export interface VouchedFor {
  readonly state: string;
  readonly signedIn: SignedIn;
  /** Time of the sign-in, in milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Returns the cookie's name for a sign-in, by its state. */
export function cookieOf(state: string): CookieName {
  return `sign-in-${hash('sha256', state).slice(0, 16)}`;
}

export function sealState(vault: Vault, state: SignInState): string {
  return vault.seal(JSON.stringify(state), SUBJECT);
}

/** Opens the state of a sign-in; null if it is missing, too old or forged. */
export function openState(vault: Vault, sealed: string | null, now: number): SignInState | null {
  const state = open<SignInState>(vault, sealed, SUBJECT);
  return state !== null && now < state.expiresAt ? state : null;
}

export function sealVouchedFor(vault: Vault, vouchedFor: VouchedFor): string {
  return vault.seal(JSON.stringify(vouchedFor), ANSWER);
}

/** Opens the content of a confirmation page; null if it is missing or forged. */
export function openVouchedFor(vault: Vault, sealed: string | null): VouchedFor | null {
  return open<VouchedFor>(vault, sealed, ANSWER);
}

function open<T>(vault: Vault, sealed: string | null, subject: string): T | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(vault.open(sealed, subject)) as T;
  } catch (error) {
    if (error instanceof SealFault || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Returns the path to show after the sign-in. Only pages of the console are accepted, so that no link can lead
 * elsewhere.
 */
export function readPage(text: string | undefined): string {
  return text !== undefined && /^\/(?:[\w-]{1,80}\/?){0,4}$/.test(text) ? text : '/';
}
