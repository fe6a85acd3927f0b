import { cleanText, cutText } from '@darkroom-service/contract';
import { createRedactor, type Redact } from '@darkroom-service/media';
import type { Delivery } from '../engine.ts';

const MAX_MESSAGE = 500;

const redactors = new WeakMap<readonly string[], Redact>();

/** Returns the first few hundred characters of a text without line breaks, control characters and secrets. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  const clean = redactorFor(secrets)(cutText(message, MAX_MESSAGE * 4));
  return cleanText(clean.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), MAX_MESSAGE);
}

/** Returns a delivery without secrets in its texts. Its addresses stay: they lead to the files. */
export function deliveryWithoutSecrets(delivery: Delivery, secrets: readonly string[]): Delivery {
  const redact = redactorFor(secrets);
  const { named, ...rest } = delivery;
  return {
    ...rest,
    outputs: delivery.outputs.map(({ revisedPrompt, ...output }) => ({
      ...output,
      revisedPrompt: revisedPrompt === null ? null : redact(revisedPrompt),
    })),
    ...(named && { named: Object.fromEntries(Object.entries(named).map(([name, text]) => [name, redact(text)])) }),
  };
}

/** Returns the secrets of an `Authorization` header; also user and password in plain text. */
export function secretsOfHeader(authorization: string | null): string[] {
  if (authorization === null) return [];
  const [, pair] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
  return pair === undefined ? [authorization] : [authorization, Buffer.from(pair, 'base64').toString()];
}

/** Returns the redactor for a list of secrets, which stays the same for an engine. */
function redactorFor(secrets: readonly string[]): Redact {
  const redact = redactors.get(secrets) ?? createRedactor(secrets);
  redactors.set(secrets, redact);
  return redact;
}
