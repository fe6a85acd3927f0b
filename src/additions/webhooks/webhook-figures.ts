import { Histogram, type Registry } from 'prom-client';

const DELIVERY_SECONDS = [0.5, 1, 5, 10, 60, 300, 3600, 86_400];

export interface WebhookFigures {
  /**
   * Called when the delivery of a webhook has ended. `seconds`: since its event, or since somebody asked to send it
   * again.
   */
  ended(delivery: { readonly outcome: 'delivered' | 'failed'; readonly seconds: number }): void;
}

/** Registers the metrics of the deliveries that end in this process. */
export function createWebhookFigures(registry: Registry): WebhookFigures {
  const deliveries = new Histogram({
    name: 'darkroom_webhook_delivery_seconds',
    help: 'How long webhooks whose delivery ended in this process took since their event, with all attempts, by outcome: delivered or failed.',
    labelNames: ['outcome'] as const,
    buckets: DELIVERY_SECONDS,
    registers: [registry],
  });
  return { ended: ({ outcome, seconds }) => deliveries.observe({ outcome }, seconds) };
}
