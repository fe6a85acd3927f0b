/** Two issuers: the expected and the found one. */
export interface IssuerDifference {
  readonly expected: string;
  readonly found: string;
}

const SHOWN = /^[\x21-\x7e]{1,300}$/;

/** Tells whether two issuers are the same address, possibly differing in one trailing slash. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

/** Returns an issuer as it is, with one trailing slash, and without. */
export function issuerForms(issuer: string): string[] {
  return [...new Set([issuer, withoutSlash(issuer), `${withoutSlash(issuer)}/`])];
}

/** Finds the issuers in an error of the library that compared them. @param chain the error and its causes */
export function differenceIn(chain: readonly unknown[]): IssuerDifference | null {
  for (const one of chain) {
    const { expected, attribute, claim, body, claims, parameters } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const found =
      attribute === 'issuer'
        ? fieldOf(body, 'issuer')
        : claim === 'iss'
          ? fieldOf(claims, 'iss')
          : parameters instanceof URLSearchParams
            ? parameters.get('iss')
            : undefined;
    if (typeof expected === 'string' && typeof found === 'string')
      return { expected, found: SHOWN.test(found) ? found : 'a text that is no address' };
  }
  return null;
}

/** Removes the trailing slash. Compares as `URL` writes it, so that an address of a host alone has no other form. */
function withoutSlash(issuer: string): string {
  return (URL.parse(issuer)?.href ?? issuer).replace(/\/$/, '');
}

function fieldOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
