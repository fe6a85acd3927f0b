import type {
  ListWebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookEvent,
  WebhookSecret,
  WebhookTest,
} from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import type { CallOptions, Transport } from './transport.ts';
import { type UnwrapOptions, unwrapWebhook, type WebhookHeaders } from './verify-webhook.ts';

/** `client.webhooks` */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Verifies a webhook and returns its event. `id` is the same in every delivery of the event: use it to detect
   * repeats.
   * @param body exactly the bytes that were received
   * @throws WebhookError
   */
  async unwrap(
    body: string | Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    options: UnwrapOptions,
  ): Promise<WebhookEvent & { readonly id: string }> {
    return await unwrapWebhook(body, headers, options);
  }

  /** The secrets that sign the events of the key's mode: always one, and two during a rotation. */
  async secrets(options: CallOptions = {}): Promise<readonly [WebhookSecret, ...WebhookSecret[]]> {
    const path = '/v1/account/webhooks/secret';
    type Answer = { readonly items: readonly [WebhookSecret, ...WebhookSecret[]] };
    return (await this.#transport.send<Answer>({ ...options, path })).data.items;
  }

  /** Replaces the secret; the old one signs for one more day. */
  async rotateSecret(options: ChangeOptions = {}): Promise<readonly WebhookSecret[]> {
    const call = { ...repeatableCall(options), path: '/v1/account/webhooks/secret/rotate' };
    return (await this.#transport.send<{ readonly items: readonly WebhookSecret[] }>(call)).data.items;
  }

  /** The account's default URL for the key's mode; null = none. */
  async url(options: CallOptions = {}): Promise<string | null> {
    const path = '/v1/account/webhooks';
    return (await this.#transport.send<{ readonly url: string | null }>({ ...options, path })).data.url;
  }

  async setUrl(url: string | null, options: CallOptions = {}): Promise<string | null> {
    const call = { ...options, method: 'PUT' as const, path: '/v1/account/webhooks', json: { url } };
    return (await this.#transport.send<{ readonly url: string | null }>(call)).data.url;
  }

  /**
   * Sends one signed test event to `url`, by default to the account's URL, and returns what the receiver answered. The
   * event is not stored.
   */
  async test(url: string | null = null, options: ChangeOptions = {}): Promise<WebhookTest> {
    const json = url === null ? {} : { url };
    const call = { ...repeatableCall(options), path: '/v1/account/webhooks/test', json };
    return (await this.#transport.send<WebhookTest>(call)).data;
  }

  /** Deliveries and their attempts, newest first. */
  deliveries(query: ListWebhookDeliveriesQuery = {}, options: CallOptions = {}): List<WebhookDelivery> {
    const path = '/v1/account/webhooks/deliveries';
    return listAt(this.#transport, path, query, (delivery) => delivery.delivery_id, options);
  }

  /** Sends a delivery again. */
  async redeliver(deliveryId: string, options: ChangeOptions = {}): Promise<WebhookDelivery> {
    const path = `/v1/account/webhooks/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return (await this.#transport.send<WebhookDelivery>({ ...repeatableCall(options), path })).data;
  }
}
