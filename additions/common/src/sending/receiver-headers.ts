import type { ReceiverHeaders } from '@darkroom-service/contract';

/** Fault of credentials if the operator has set no key, so that nothing can be sealed. */
export const NO_VAULT = 'this service stores no credentials of customers; its operator can set DARKROOM_SECRETS_KEY';

/** Headers of a connection, of a proxy, of a session in a browser, and those that the service writes itself. */
const RESERVED =
  /^(?:connection|content-length|content-type|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|webhook-.*)$/;

/**
 * Judges the headers that a customer's receiver needs.
 * @returns them with names in lower case; or their faults, without any value
 */
export function judgeHeaders(
  sent: ReceiverHeaders,
): { readonly headers: Readonly<Record<string, string>> } | { readonly fault: string } {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    const lower = name.toLowerCase();
    if (RESERVED.test(lower)) return { fault: `headers: '${name}' belongs to the connection or to the service` };
    if (Object.hasOwn(headers, lower)) return { fault: `headers: '${lower}' is there twice` };
    headers[lower] = value.trim();
  }
  return { headers };
}
