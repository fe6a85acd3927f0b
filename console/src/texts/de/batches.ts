import type { batchTexts as english } from '../batches.ts';
import type { Translation } from '../translation.ts';

const number = (count: number) => count.toLocaleString('de');

/** German texts of the page of batches. */
export const batchTexts: Translation<typeof english> = {
  lead: 'Aufträge, die zusammen zu einem Preis erteilt wurden.',
  title: 'Stapel',
  close: 'Schließen',
  heads: { batch: 'Stapel', when: 'Erteilt', progress: 'Aufträge', cost: 'Berechnet', actions: 'Aktionen' },
  status: {
    processing: 'Läuft',
    succeeded: 'Gelungen',
    failed: 'Fehlgeschlagen',
    partial: 'Teilweise gelungen',
    canceled: 'Abgebrochen',
  },
  finished: (done, all) => `${number(done)} von ${number(all)} fertig`,
  counts: {
    queued: (count) => `${number(count)} wartend`,
    processing: (count) => `${number(count)} in Arbeit`,
    succeeded: (count) => `${number(count)} gelungen`,
    failed: (count) => `${number(count)} fehlgeschlagen`,
    canceled: (count) => `${number(count)} abgebrochen`,
  },
  ofQuoted: (quoted) => `von höchstens ${quoted}`,
  held: (amount) => `${amount} reserviert`,
  playMoney: 'Spielgeld',
  tasks: 'Aufträge',
  tasksOf: (id) => `Aufträge von ${id}`,
  more: (id) => `Aktionen für ${id}`,
  lines: 'Ergebnisse als JSON-Zeilen',
  zip: 'Bilder und Videos als ZIP',
  cancel: 'Abbrechen',
  cancelTitle: 'Diesen Stapel abbrechen?',
  cancelText:
    'Noch nicht begonnene Aufträge enden jetzt und kosten nichts. Laufende Aufträge können noch fertig werden und werden dann berechnet.',
  cancelWaiting: (count) =>
    count === 1 ? '1 Auftrag hat noch nicht begonnen.' : `${number(count)} Aufträge haben noch nicht begonnen.`,
  keep: 'Behalten',
  confirm: 'Stapel abbrechen',
  canceling: 'Wird abgebrochen',
  failed: 'Der Stapel wurde nicht abgebrochen',
  notSaved: 'Die Ergebnisse wurden nicht gespeichert',
  older: 'Ältere Stapel zeigen',
  empty: {
    title: 'Noch keine Stapel',
    text: 'Ein Stapel bestellt bis zu 10.000 Bilder und Videos zu einem Preis: mit POST /v1/batches oder mit darkroom batch.',
    action: 'Zurück zum Verlauf',
  },
};
