import {
  cutText,
  errorFromFaults,
  type Fault,
  isCleanText,
  type JsonObject,
  type JsonValue,
  type Micros,
} from '@darkroom-service/contract';
import { SIMULATED_OUTCOMES } from '@darkroom-service/contract/catalog';
import type { Simulate } from '@darkroom-service/engines';
import { judgeUrl } from '@darkroom-service/media';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Grant } from '../accounts/grant.ts';
import { isSameName } from '../accounts/scope.ts';
import { measureText } from '../catalog/text-limit.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { describeValue } from './describe-value.ts';
import { type Fallback, readFallback } from './fallback-fields.ts';
import { readAllowDearer, readMaxPrice } from './price-limit.ts';

/** The fields that any create takes besides the model's own. */
export interface ServiceFields {
  readonly metadata: Readonly<Record<string, string>>;
  readonly endUser: string | null;
  readonly webhookUrl: string | null;
  /** The field as it was sent. */
  readonly deliverTo: JsonValue | undefined;
  readonly maxPrice: Micros | null;
  /** Whether it may go to routes that are dearer than its price, up to `maxPrice`, which is then not null. */
  readonly allowsDearer: boolean;
  /** The further models that it may go on to; null = it names one model. */
  readonly fallback: Fallback | null;
  readonly simulate: Simulate | null;
  /** Whether the order waits for unfinished tasks that it refers to. */
  readonly waitForParent: boolean;
}

interface TakenFields {
  readonly fields: ServiceFields;
  /** The body without these fields and without `model_id`: the part that the model judges. */
  readonly rest: JsonObject;
  readonly faults: readonly Fault[];
}

const MAX_SIMULATED_SECONDS = 3600;

/**
 * Takes the service's own fields out of a create body. `simulate` belongs to test keys: with a live key it stays in the
 * rest, where the model refuses it like any unknown field. An order with a client token is that of its end user, and
 * accepts no field that reaches beyond it.
 * @param header the `Darkroom-Simulate` header, an alternative to the field; both at once are refused.
 * @param webhookAddresses private ranges that webhooks may reach; null = the service sends none
 */
export function takeServiceFields(
  body: JsonObject,
  { mode, client }: Pick<OrderingKey, 'mode' | 'client'>,
  header: string | null,
  webhookAddresses: readonly string[] | null,
): TakenFields {
  const {
    model_id: modelId,
    metadata,
    end_user: endUser,
    webhook_url: webhookUrl,
    deliver_to: deliverTo,
    max_price: maxPrice,
    allow_dearer: allowDearer,
    fallback_models: fallbackModels,
    fallback_on_content_policy: onContentPolicy,
    wait_for_parent: waitForParent,
    ...others
  } = body;
  const faults: Fault[] = [];
  let rest: JsonObject = others;
  let simulate: Simulate | null = null;
  if (mode === 'test') {
    const { simulate: field, ...withoutSimulate } = others;
    rest = withoutSimulate;
    simulate = readSimulate(field ?? null, header, faults);
  } else if (header !== null) {
    const message = 'The header Darkroom-Simulate requires a test key; this is a live key.';
    faults.push({ param: 'simulate', code: 'unsupported_field', message });
  }
  if (client !== undefined) faults.push(...faultsOfClient(client, body, header));
  return {
    fields: {
      metadata: readMetadata(metadata, faults),
      endUser: client?.endUser ?? readEndUser(endUser, faults),
      webhookUrl: readWebhookUrl(webhookUrl, webhookAddresses, faults),
      deliverTo,
      allowsDearer: readAllowDearer(allowDearer, maxPrice, faults),
      fallback:
        fallbackModels === undefined && onContentPolicy === undefined
          ? null
          : readFallback(fallbackModels, onContentPolicy, modelId, faults),
      maxPrice: lower(readMaxPrice(maxPrice, faults), client?.maxPrice ?? null),
      simulate,
      waitForParent: readWaitForParent(waitForParent, faults),
    },
    rest,
    faults,
  };
}

function lower(one: Micros | null, other: Micros | null): Micros | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Returns the fields that a caller with a client token may not send. A person may send all but another end user. */
function faultsOfClient({ endUser, person }: Grant, body: JsonObject, header: string | null): Fault[] {
  const faults: Fault[] = [];
  const refuse = (param: string, message: string) => faults.push({ param, code: 'unsupported_field', message });
  const isSent = (field: string) => body[field] !== undefined && body[field] !== null;
  if (isSent('end_user') && !isSameName(body.end_user, endUser)) faults.push(faultOfForeign(endUser));
  if (person !== undefined) return faults;
  if (isSent('webhook_url')) refuse('webhook_url', 'webhook_url cannot be sent with a client token. Omit it.');
  if (isSent('deliver_to')) refuse('deliver_to', 'deliver_to cannot be sent with a client token. Omit it.');
  if (isSent('simulate') || header !== null)
    refuse('simulate', 'simulate cannot be sent with a client token. Use the test key itself.');
  return faults;
}

function faultOfForeign(endUser: string): Fault {
  const message = `end_user must be '${cutText(endUser, 64)}', whom the token was issued for, or omitted.`;
  return { param: 'end_user', code: 'unsupported_field', message };
}

/**
 * Returns the end user that a caller sends with requests other than orders; null = the key's own.
 * @throws ServiceError `invalid_request`; `unsupported_field` for another one than that of a client token
 */
export function endUserOf({ client }: Pick<OrderingKey, 'client'>, sent: string | null): string | null {
  const faults: Fault[] = [];
  const endUser = readEndUser(sent ?? undefined, faults);
  if (client !== undefined && sent !== null && !isSameName(sent, client.endUser))
    faults.push(faultOfForeign(client.endUser));
  if (faults.length > 0) throw errorFromFaults(faults);
  return client?.endUser ?? endUser;
}

/** Returns the caller's own pairs; none if there is a fault. */
export function readMetadata(value: JsonValue | undefined, faults: Fault[]): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const invalid = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  if (typeof value !== 'object' || Array.isArray(value)) {
    invalid('metadata', `metadata: expected an object of strings, found ${describeValue(value)}.`);
    return {};
  }
  const pairs = Object.entries(value as JsonObject);
  if (pairs.length > 16) invalid('metadata', `metadata: expected at most 16 pairs, found ${pairs.length}.`);
  for (const [key, text] of pairs.slice(0, 16)) {
    const param = `metadata.${[...key.slice(0, 80)].slice(0, 40).join('')}`;
    if (key === '' || charactersOf(key) > 40)
      invalid(param, `metadata: expected keys of 1 to 40 characters, found ${charactersOf(key)}.`);
    if (typeof text !== 'string') invalid(param, `${param}: expected a string, found ${describeValue(text)}.`);
    else if (charactersOf(text) > 500)
      invalid(param, `${param}: expected at most 500 characters, found ${charactersOf(text)}.`);
    else if (!isCleanText(text) || !isCleanText(key)) invalid(param, `${param}: expected valid Unicode without NUL.`);
  }
  return value as Record<string, string>;
}

/** Returns the name of an end user; null if there is none, or a fault. */
function readEndUser(value: JsonValue | undefined, faults: Fault[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && value !== '' && charactersOf(value) <= 128 && isCleanText(value) && !isDots(value))
    return value;
  const found =
    typeof value !== 'string'
      ? describeValue(value)
      : isDots(value)
        ? `'${value}'`
        : `${charactersOf(value)} characters`;
  faults.push({
    param: 'end_user',
    code: 'invalid_request',
    message: `end_user: expected a string of 1 to 128 characters that is neither '.' nor '..', found ${found}.`,
  });
  return null;
}

/** Reads the name of an end user in an address. @throws ServiceError `invalid_request` */
export function readEndUserName(text: string): string {
  const faults: Fault[] = [];
  const name = readEndUser(text, faults);
  if (name === null) throw errorFromFaults(faults);
  return name;
}

/** Tells whether a name means the parent directory or the current one in an address. */
function isDots(name: string): boolean {
  return name === '.' || name === '..';
}

function readWaitForParent(value: JsonValue | undefined, faults: Fault[]): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value === true;
  const message = `wait_for_parent: expected true or false, found ${describeValue(value)}.`;
  faults.push({ param: 'wait_for_parent', code: 'invalid_request', message });
  return false;
}

/**
 * Returns an address to which webhooks may be sent; null if there is none, or a fault.
 * @param addresses private ranges that they may reach; null = the service sends none
 */
export function readWebhookUrl(
  value: JsonValue | undefined,
  addresses: readonly string[] | null,
  faults: Fault[],
  param = 'webhook_url',
): string | null {
  if (value === undefined || value === null) return null;
  if (addresses === null) {
    faults.push({ param, code: 'invalid_request', message: `${param}: this service sends no webhooks. Omit it.` });
    return null;
  }
  const verdict = typeof value === 'string' ? judgeUrl(value, addresses) : null;
  if (verdict?.ok === true) return verdict.text;
  const reason = verdict === null ? `expected a URL, found ${describeValue(value)}` : verdict.message;
  faults.push({ param, code: 'invalid_request', message: `${param}: ${reason}.` });
  return null;
}

/** Returns the default address of an order's webhooks; null = none. */
export function defaultWebhookUrl(
  { settings }: Pick<TaskServices, 'settings'>,
  { account }: Pick<OrderingKey, 'account'>,
): string | null {
  return settings.webhookAddresses === null ? null : account.webhookUrl;
}

function readSimulate(field: JsonValue, header: string | null, faults: Fault[]): Simulate | null {
  if (field !== null && header !== null) {
    faults.push({
      param: 'simulate',
      code: 'invalid_request',
      message: 'simulate and the header Darkroom-Simulate were both sent. Send only one of them.',
    });
    return null;
  }
  const value = field ?? (header === null ? null : parseHeader(header));
  if (value === null) return null;
  const invalid = (param: string, message: string) => {
    faults.push({ param, code: 'invalid_request', message });
    return null;
  };
  if (typeof value !== 'object' || Array.isArray(value))
    return invalid('simulate', `simulate: expected an object, found ${describeValue(value)}.`);
  const { seconds = 0, outcome = 'succeeded', explain = false, ...unknown } = value as JsonObject;
  const stranger = Object.keys(unknown)[0];
  if (stranger !== undefined)
    return invalid(
      `simulate.${stranger}`,
      `simulate does not accept '${stranger}'. Accepted fields: seconds, outcome, explain.`,
    );
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= MAX_SIMULATED_SECONDS)) {
    return invalid(
      'simulate.seconds',
      `simulate.seconds: expected a number from 0 to ${MAX_SIMULATED_SECONDS}, found ${describeValue(seconds)}.`,
    );
  }
  const known = SIMULATED_OUTCOMES.find((candidate) => candidate === outcome);
  if (known === undefined)
    return invalid(
      'simulate.outcome',
      `simulate.outcome: expected one of ${SIMULATED_OUTCOMES.join(', ')}, found ${describeValue(outcome)}.`,
    );
  if (typeof explain !== 'boolean')
    return invalid('simulate.explain', `simulate.explain: expected true or false, found ${describeValue(explain)}.`);
  return { seconds, outcome: known, ...(explain ? { explain } : {}) };
}

/** Parses a header such as `outcome=timeout; seconds=3; explain=true`. */
function parseHeader(header: string): JsonObject {
  const parts = header.split(';').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts
      .map((part) => part.split('=').map((side) => side.trim()))
      .map(([name, text = '']) => [name, name === undefined ? text : readHeaderValue(name, text)]),
  );
}

function readHeaderValue(name: string, text: string): JsonValue {
  if (name === 'seconds' && text !== '') return Number(text);
  return name === 'explain' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

const charactersOf = (text: string): number => measureText(text, 'characters');
