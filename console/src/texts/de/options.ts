import type { optionTexts as english } from '../options.ts';
import type { Translation } from '../translation.ts';

/** German texts of the options of every order. */
export const optionTexts: Translation<typeof english> = {
  title: 'Optionen des Auftrags',
  set: (count) => `${count} gesetzt`,
  labels: {
    maxPrice: 'Preisgrenze',
    endUser: 'ID des Kunden',
    webhookUrl: 'Webhook-URL',
    metadata: 'Metadaten',
  },
  help: {
    maxPrice: 'Ein Auftrag, der mehr kostet, wird abgelehnt und nicht berechnet (max_price).',
    endUser: 'Der Kunde, für den der Auftrag ist. Verlauf und Nutzung lassen sich danach filtern (end_user).',
    webhookUrl: 'Wird am Ende dieses Auftrags benachrichtigt, statt der Standard-URL des Kontos (webhook_url).',
    metadata: 'Bis zu 16 eigene Notizen, die mit dem Auftrag zurückkommen (metadata).',
  },
  placeholders: { maxPrice: '0,50', endUser: 'kunde-1042', webhookUrl: 'https://' },
  limitFault: 'Einen Betrag in Dollar eingeben, zum Beispiel 0,50',
  aboveLimit: (price, limit) => `Es kostet ${price}, mehr als die Grenze von ${limit}.`,
  withoutLimit: 'Grenze entfernen',
  nameMissing: 'Ein Wert braucht einen Namen.',
  nameTwice: 'Jeder Name kommt nur einmal vor.',
  pairs: {
    add: 'Notiz hinzufügen',
    name: (place) => `Name der Notiz ${place}`,
    value: (place) => `Wert der Notiz ${place}`,
    remove: (place) => `Notiz ${place} entfernen`,
    namePlaceholder: 'Name',
    valuePlaceholder: 'Wert',
  },
  simulate: {
    title: 'Ergebnis simulieren',
    hint: 'Ein Test-Schlüssel kann einen Auftrag scheitern lassen, um das eigene Programm zu prüfen.',
    outcome: 'Ergebnis',
    seconds: 'Nach Sekunden',
    outcomes: {
      succeeded: 'Gelingt',
      content_policy: 'Abgelehnt: Inhaltsregeln',
      upstream_error: 'Scheitert beim Anbieter',
      timeout: 'Dauert zu lange',
      outcome_unknown: 'Ausgang unbekannt',
      stuck: 'Endet nie von selbst',
      late: 'Kommt zu spät',
    },
    off: 'Keine Simulation',
    explain: 'Erklären, wie der Prompt verstanden wurde',
  },
};
