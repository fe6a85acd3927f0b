import type { orderTexts as english } from '../orders.ts';
import type { Translation } from '../translation.ts';

/** German texts of the orders under way: the tray of every page, and the question at sign-out. */
export const orderTexts: Translation<typeof english> = {
  tray: 'Aufträge',
  underWay: (count) => (count === 1 ? '1 laufender Auftrag' : `${count} laufende Aufträge`),
  unconfirmedCount: (count) => `${count} unbestätigt`,
  none: 'Kein Auftrag läuft',
  noneHint: 'Aufträge erscheinen hier, bis sie enden, auf jeder Seite und in jedem Tab.',
  current: 'Laufend',
  ended: 'Gerade beendet',
  clear: 'Leeren',
  close: 'Schließen',
  mode: { test: 'Test', live: 'Live' },
  state: {
    sending: 'Wird gesendet',
    unconfirmed: 'Unbestätigt',
    placed: 'Erteilt',
    queued: 'Wartet',
    processing: 'In Arbeit',
    succeeded: 'Fertig',
    partial: 'Fertig, einige ohne Ergebnis',
    failed: 'Fehlgeschlagen',
    canceled: 'Abgebrochen',
    refused: 'Abgelehnt',
  },
  unconfirmedHint:
    'Die Antwort ging verloren. Die Konsole fragt mit demselben Idempotency-Key nach, der Auftrag wird also höchstens einmal erteilt und berechnet.',
  tryNow: 'Jetzt versuchen',
  giveUp: 'Aufgeben',
  position: (position) =>
    position === 1 ? 'als nächster in der Warteschlange' : `Platz ${position} in der Warteschlange`,
  left: (seconds) =>
    seconds < 90 ? `noch etwa ${Math.max(1, Math.round(seconds))} s` : `noch etwa ${Math.round(seconds / 60)} min`,
  done: (ended, orders) => `${ended} von ${orders} fertig`,
  waitsFor: 'wartet auf einen anderen Auftrag',
  notCharged: 'nichts wurde berechnet',
  progress: (title) => `Fortschritt: ${title}`,
  cancel: 'Abbrechen',
  cancelOf: (title) => `Abbrechen: ${title}`,
  canceling: 'Wird abgebrochen …',
  cancelFailed: 'Konnte nicht abgebrochen werden',
  open: (title) => `Öffnen: ${title}`,
  remove: (title) => `Aus der Liste entfernen: ${title}`,
  notArrived:
    'Er ist innerhalb von zehn Minuten nicht angekommen und wurde nicht erteilt. Nichts wurde berechnet. Bei Bedarf noch einmal bestellen.',
  hasEnded: 'ist beendet',
  announce: (title, state) => `${title}: ${state}`,
  leaving: {
    title: (count) => (count === 1 ? 'Ein Auftrag läuft noch' : `${count} Aufträge laufen noch`),
    text: 'Sie werden trotzdem ausgeführt und berechnet. Nach erneuter Anmeldung mit demselben Schlüssel stehen sie im Verlauf.',
    unconfirmed: (count) =>
      `${count === 1 ? 'Einer davon ist' : `${count} davon sind`} unbestätigt: ohne diese Liste kann die Konsole nicht klären, ob er angekommen ist. Vor einer neuen Bestellung im Verlauf nachsehen.`,
    lost: 'Die Liste der Aufträge wird in allen Tabs dieses Browsers entfernt.',
    stay: 'Angemeldet bleiben',
    signOut: 'Abmelden',
    forget: 'Schlüssel vergessen',
  },
};
