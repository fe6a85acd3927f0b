import type { Claims } from './claims.ts';

/** The tokens of a sign-in, for later checks at the provider. */
export interface CheckTokens {
  readonly accessToken: string;
  /** End of the access token, in milliseconds since 1970 UTC. */
  readonly accessUntil: number;
  readonly refreshToken: string | null;
  /** Whether a claim that lets the person in came with the ID token only, so that a check needs a new one. */
  readonly groupsInIdToken: boolean;
  /** ID token, which names the session to end to the provider at sign-out. */
  readonly idToken: string;
}

export interface SignedIn extends Claims {
  readonly subject: string;
  /** Provider's id of its session; null = it gives none. */
  readonly sid: string | null;
  readonly tokens: CheckTokens;
}

/** The secrets of one sign-in, kept by the browser until it returns from the provider. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}
