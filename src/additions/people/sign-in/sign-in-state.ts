import { SealFault, type Vault } from '../../../base/vault.ts';
import type { SignInChecks } from '../provider/provider.ts';

/** How long a person may take at the provider. */
export const SIGN_IN_SECONDS = 600;
const SUBJECT = 'sign-in';

/** What a browser keeps, sealed, while its person is at the provider. */
export interface SignInState extends SignInChecks {
  /** The page of the console to come back to, such as `/history`. */
  readonly page: string;
  /** The token of an invitation to accept; null = none. */
  readonly invitation: string | null;
  /** The command line that waits on this machine; null = the browser itself signs in. */
  readonly commandLine: { readonly port: number; readonly state: string; readonly challenge: string } | null;
  readonly expiresAt: number;
}

export function sealState(vault: Vault, state: SignInState): string {
  return vault.seal(JSON.stringify(state), SUBJECT);
}

/** Null: there is none, it is too old, or somebody else wrote it. */
export function openState(vault: Vault, sealed: string | null, now: number): SignInState | null {
  if (sealed === null) return null;
  try {
    const state = JSON.parse(vault.open(sealed, SUBJECT)) as SignInState;
    return now < state.expiresAt ? state : null;
  } catch (error) {
    if (error instanceof SealFault || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Only pages of the console, so that no link can lead elsewhere. */
export function readPage(text: string | undefined): string {
  return text !== undefined && /^\/(?:[\w-]{1,80}\/?){0,4}$/.test(text) ? text : '/';
}
