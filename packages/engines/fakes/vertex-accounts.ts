import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';

const EMAIL = 'darkroom@fox-project.iam.gserviceaccount.com';
const KEY_ID = '0f1e2d3c';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** Audiences that Google's own clients name, whatever the key file says. */
const OWN_NAMES = ['https://oauth2.googleapis.com/token', 'https://www.googleapis.com/oauth2/v4/token'];

export const PROJECT = 'fox-project';
const pem = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
/** The private key of the account, and one that belongs to nobody. */
export const [PRIVATE_KEY, STRANGE_KEY] = [pem(), pem()];

/** Returns the key file of the account, as the console of Google Cloud writes it. */
export function keyFile(tokenUrl: string, privateKey: string): string {
  const fields = { type: 'service_account', project_id: PROJECT, private_key_id: KEY_ID, client_email: EMAIL };
  return JSON.stringify({ ...fields, private_key: privateKey, token_uri: tokenUrl });
}

/** Returns the reason for which a sign-in gets no token, in Google's words; null if it gets one. */
export function signInFault(
  form: URLSearchParams,
  tokenUrl: string,
): { error: string; error_description: string } | null {
  const fault = (error: string, error_description: string) => ({ error, error_description });
  if (form.get('grant_type') !== GRANT) return fault('unsupported_grant_type', 'Invalid grant_type');
  const [header = '', claims = '', signature = ''] = form.get('assertion')?.split('.') ?? [];
  const { alg, kid } = read(header);
  const { iss, scope, aud, iat, exp } = read(claims);
  if (alg !== 'RS256' || (kid !== undefined && kid !== KEY_ID) || iss !== EMAIL)
    return fault('invalid_grant', 'Invalid grant: account not found');
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify('RSA-SHA256', signed, createPublicKey(PRIVATE_KEY), Buffer.from(signature, 'base64url')))
    return fault('invalid_grant', 'Invalid JWT Signature.');
  if (![tokenUrl, ...OWN_NAMES].includes(String(aud)))
    return fault('invalid_grant', 'Invalid JWT: Failed audience check.');
  if (Number(exp) - Number(iat) > 3600 || Number(exp) * 1000 < Date.now())
    return fault('invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes)');
  return scope === SCOPE ? null : fault('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
}

function read(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
