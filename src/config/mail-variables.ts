import { type Static, Type } from 'typebox';
import { isLoopback } from '../net/loopback-url.ts';

const EXPECTED_SERVER = 'a URL such as smtps://user:password@smtp.example.com, or smtp://… for STARTTLS';
const EXPECTED_ADDRESSES = 'e-mail addresses such as ops@example.com, separated by commas';
const EXPECTED_ADDRESS = 'an e-mail address such as darkroom@example.com';
const ADDRESS = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Settings of the alerts that the service sends by e-mail. */
export const MAIL_VARIABLES = {
  DARKROOM_ALERT_SMTP_URL: Type.Optional(
    Type.Refine(
      Type.String({
        expected: EXPECTED_SERVER,
        secret: true,
        description:
          'The mail server that sends alerts. Percent-encode special characters of user and password. With a user, `smtp://` demands STARTTLS, except on this machine. Unset: no mail.',
      }),
      (value) => serverOf(value) !== null,
      () => EXPECTED_SERVER,
    ),
  ),
  DARKROOM_ALERT_EMAIL_TO: Type.Optional(
    Type.Refine(
      Type.Array(Type.String(), {
        expected: EXPECTED_ADDRESSES,
        description: 'Who gets alerts by e-mail. Required with DARKROOM_ALERT_SMTP_URL.',
      }),
      (addresses) => addresses.length > 0 && addresses.every((address) => ADDRESS.test(address)),
      () => EXPECTED_ADDRESSES,
    ),
  ),
  DARKROOM_ALERT_EMAIL_FROM: Type.Optional(
    Type.Refine(
      Type.String({
        expected: EXPECTED_ADDRESS,
        description: 'The sender of these e-mails. Required with DARKROOM_ALERT_SMTP_URL.',
      }),
      (address) => ADDRESS.test(address),
      () => EXPECTED_ADDRESS,
    ),
  ),
} as const;

type Values = { readonly [Name in keyof typeof MAIL_VARIABLES]?: Static<(typeof MAIL_VARIABLES)[Name]> };

export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. */
  readonly secure: boolean;
  /** Whether to send nothing unless the server changes to TLS: a password must not be sent without. */
  readonly requireTls: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  readonly from: string;
  readonly to: readonly string[];
}

export function mailOf(values: Values): MailConfig | null {
  const { DARKROOM_ALERT_SMTP_URL: url, DARKROOM_ALERT_EMAIL_TO: to, DARKROOM_ALERT_EMAIL_FROM: from } = values;
  const server = url === undefined ? null : serverOf(url);
  return server === null || to === undefined || from === undefined ? null : { ...server, from, to };
}

/** Reports settings that are missing beside the others. */
export function faultsOfMail(values: Values): { variable: string; message: string }[] {
  const expected = {
    DARKROOM_ALERT_SMTP_URL: EXPECTED_SERVER,
    DARKROOM_ALERT_EMAIL_TO: EXPECTED_ADDRESSES,
    DARKROOM_ALERT_EMAIL_FROM: EXPECTED_ADDRESS,
  };
  const names = Object.keys(expected) as (keyof typeof expected)[];
  const set = names.find((name) => values[name] !== undefined);
  if (set === undefined) return [];
  return names
    .filter((name) => values[name] === undefined)
    .map((variable) => ({ variable, message: `expected together with ${set}: ${expected[variable]}; found nothing` }));
}

function serverOf(value: string): Pick<MailConfig, 'host' | 'port' | 'secure' | 'requireTls' | 'auth'> | null {
  const url = URL.parse(value);
  if (url === null || !(url.protocol in PORTS) || url.hostname === '' || url.port === '0') return null;
  if (!/^\/?$/.test(url.pathname) || url.search + url.hash !== '') return null;
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === null || pass === null || (user === '') !== (pass === '')) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  return {
    host,
    port: url.port === '' ? PORTS[url.protocol as keyof typeof PORTS] : Number(url.port),
    secure,
    requireTls: !secure && user !== '' && !isLoopback(host),
    auth: user === '' ? null : { user, pass },
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
