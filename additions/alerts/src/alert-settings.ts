import { ConfigFault, defineSettings, oneOf, text, texts, type VariableFault } from '@darkroom-service/darkroom/kernel';
import { judgeUrl } from '@darkroom-service/media';
import { Type } from 'typebox';

const EXPECTED_SECRETS = 'whsec_ and 24 to 64 bytes in base64; at most two, separated by commas';
const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PREFIX = 'whsec_';
const BALANCE = /^[a-z0-9][a-z0-9_/-]*=\d{1,12}(\.\d{1,6})?$/;

const VARIABLES = {
  DARKROOM_ALERT_WEBHOOK_URL: Type.Optional(
    text(
      {
        expected: 'a URL such as https://alerts.example.com/darkroom, without user and password',
        // Receivers often put a token into the path or the query.
        secret: true,
        description: 'The URL that gets the alerts. Unset: no webhook.',
      },
      isReceiver,
    ),
  ),
  DARKROOM_ALERT_WEBHOOK_FORMAT: oneOf(
    ['signed', 'slack', 'ntfy'],
    '`signed` webhooks, an incoming webhook of `slack` or a compatible service, or a topic of `ntfy`, such as https://ntfy.sh/my-topic.',
    'signed',
  ),
  DARKROOM_ALERT_WEBHOOK_SECRET: Type.Optional(
    texts(
      {
        expected: EXPECTED_SECRETS,
        secret: true,
        description:
          'Required for `signed` alerts; `echo whsec_$(openssl rand -base64 32)` makes one. With two, each alert has two signatures.',
      },
      (secrets) => secrets.length > 0 && secrets.length <= 2 && secrets.every(isSecret),
    ),
  ),
  DARKROOM_ALERT_BALANCES: texts(
    {
      expected: 'engines with amounts such as runway=500,recraft=2000',
      description:
        'An alert begins when your account at an upstream has less than this left. Upstreams that report it: runway, recraft and bfl, in credits.',
      default: [],
    },
    (pairs) => pairs.every((pair) => BALANCE.test(pair)),
  ),
} as const;

/** Waiting time of an engine's oldest waiting live order from which on an alert begins. */
const WAITING_MS = 15 * 60_000;
/** Free bytes on the disk of the data directory below which an alert begins. */
const FREE_BYTES = 2 * 1024 ** 3;

/** The alerts that the service sends to its operator. */
export const ALERT_SETTINGS = defineSettings({
  variables: VARIABLES,
  read(values, { core }) {
    const {
      DARKROOM_ALERT_WEBHOOK_URL: url,
      DARKROOM_ALERT_WEBHOOK_FORMAT: format,
      DARKROOM_ALERT_WEBHOOK_SECRET: secrets,
    } = values;
    const faults = faultsOf({ url, format, secrets }, core.DARKROOM_ALLOWED_ADDRESSES);
    if (faults.length > 0) throw new ConfigFault(faults);
    return {
      /** Webhook of the alerts; null = none. The secrets are empty unless the format is `signed`. */
      webhook: url === undefined ? null : { url, format, secrets: secrets ?? [] },
      waitingMs: WAITING_MS,
      freeBytes: FREE_BYTES,
      /** Balance below which an alert begins, by engine. */
      balances: Object.fromEntries(
        values.DARKROOM_ALERT_BALANCES.map((pair) => [pair.split('=')[0] ?? '', Number(pair.split('=')[1])]),
      ),
    };
  },
});

/** The settings of a webhook, as they were set. */
interface WebhookValues {
  readonly url: string | undefined;
  readonly format: string;
  readonly secrets: readonly string[] | undefined;
}

/** Finds alert settings that are valid alone but not together. */
function faultsOf({ url, format, secrets }: WebhookValues, allowedAddresses: readonly string[]): VariableFault[] {
  const faults: VariableFault[] = [];
  const isSigned = format === 'signed';
  if (!isSigned && secrets !== undefined) {
    const message = `expected only with DARKROOM_ALERT_WEBHOOK_FORMAT=signed, found it with ${format}, which checks no signature`;
    faults.push({ variable: 'DARKROOM_ALERT_WEBHOOK_SECRET', message });
  }
  if (url === undefined) {
    if (!isSigned || secrets !== undefined) {
      const other = isSigned ? 'DARKROOM_ALERT_WEBHOOK_SECRET' : 'DARKROOM_ALERT_WEBHOOK_FORMAT';
      const message = `expected together with ${other}, found nothing`;
      faults.push({ variable: 'DARKROOM_ALERT_WEBHOOK_URL', message });
    }
    return faults;
  }
  if (isSigned && secrets === undefined) {
    const message = `expected together with DARKROOM_ALERT_WEBHOOK_URL: ${EXPECTED_SECRETS}; found nothing`;
    faults.push({ variable: 'DARKROOM_ALERT_WEBHOOK_SECRET', message });
  }
  const verdict = judgeUrl(url, allowedAddresses);
  if (!verdict.ok) {
    faults.push({ variable: 'DARKROOM_ALERT_WEBHOOK_URL', message: verdict.message });
  }
  return faults;
}

function isReceiver(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '';
}

function isSecret(value: string): boolean {
  const { length } = Buffer.from(value.slice(PREFIX.length), 'base64');
  return SECRET.test(value) && length >= 24 && length <= 64;
}
