import type { endUserTexts as english } from '../end-users.ts';
import type { Translation } from '../translation.ts';

/** German texts of the limits of end users. */
export const endUserTexts: Translation<typeof english> = {
  title: 'Endkunden',
  hint: 'Eigene Kunden, nach end_user der Aufträge. Ein Limit zählt auch, was vorher ausgegeben wurde.',
  add: 'Limits setzen',
  search: 'Zu einem Endkunden gehen',
  empty: 'Noch keine Aufträge mit end_user. Limits lassen sich schon vor dem ersten setzen.',
  heads: { name: 'Endkunde', day: 'Heute', month: 'Dieser Monat', total: 'Insgesamt', actions: 'Aktionen' },
  of: (spent, limit) => `${spent} von ${limit}`,
  held: (amount) => `${amount} reserviert`,
  byKey: 'Limit des Schlüssels',
  change: 'Limits ändern',
  changeOf: (name) => `Limits von ${name}`,
  reset: 'Limits des Schlüssels verwenden',
  more: 'Weitere Endkunden zeigen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  edit: {
    title: (name) => (name === '' ? 'Limits eines Endkunden' : `Limits von ${name}`),
    name: 'Endkunde',
    nameHint: 'Wie in end_user eines Auftrags',
    text: 'Ein niedrigeres Limit beendet keinen Auftrag. Ein neues Limit zählt, was Tag, Monat oder Gesamtzeit schon enthalten.',
    windows: { day: 'pro Tag', month: 'pro Monat', total: 'insgesamt' },
    choices: { key: 'Wie der Schlüssel', none: 'Kein Limit', own: 'Eigenes Limit' },
    amount: (window) => `Dollar ${window}`,
    submit: 'Speichern',
    failed: 'Die Limits wurden nicht geändert',
  },
};
