import type { Translation } from '../translation.ts';
import type { webhookTexts as english } from '../webhooks.ts';

/** German texts of webhook deliveries, for all lists of them. */
export const webhookTexts: Translation<typeof english> = {
  heads: { when: 'Wann', type: 'Ereignis', to: 'An', status: 'Status', attempts: 'Versuche', actions: 'Aktionen' },
  statuses: { pending: 'Wartet', delivered: 'Zugestellt', failed: 'Fehlgeschlagen' },
  attempts: (count) => (count === 1 ? '1 Versuch' : `${count} Versuche`),
  next: (when) => `nächster ${when}`,
  again: 'Noch einmal senden',
  failed: 'Konnte nicht noch einmal gesendet werden',
};
