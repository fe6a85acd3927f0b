import type { selectionTexts as english } from '../selection.ts';
import type { Translation } from '../translation.ts';

/** German texts of selections of results, in the history and on the light table. */
export const selectionTexts: Translation<typeof english> = {
  select: (name) => `${name} auswählen`,
  bar: 'Auswahl',
  count: (count) => `${count} ausgewählt`,
  none: 'Nichts ausgewählt',
  all: (count) => `Alle ${count} auswählen`,
  clear: 'Aufheben',
  share: 'Teilen',
  shareTitle: 'Ausgewählte Ergebnisse teilen',
  withoutResult: (count) =>
    count === 1
      ? '1 ausgewählter Auftrag hat kein Ergebnis.'
      : `${count.toLocaleString('de')} ausgewählte Aufträge haben kein Ergebnis.`,
  save: 'Herunterladen',
  saving: (done, all) => `${done} von ${all} Dateien`,
  saveFailed: 'Das Herunterladen ist fehlgeschlagen',
  incomplete: (count) =>
    count === 1
      ? '1 Datei konnte nicht geladen werden; sie fehlt im ZIP.'
      : `${count} Dateien konnten nicht geladen werden; sie fehlen im ZIP.`,
  star: 'Stern',
  unstar: 'Stern entfernen',
  reject: 'Ablehnen',
  unreject: 'Nicht ablehnen',
  tags: 'Schlagwörter',
  tagField: 'Schlagwörter der ausgewählten Aufträge',
  tagHelp: 'Hinzugefügte Schlagwörter bekommen alle, entfernte verlieren alle.',
  tagPlaceholder: 'Ein Schlagwort, dann Enter',
  tagApply: 'Schlagwörter ändern',
  changing: (done, all) => `${done} von ${all} geändert`,
  changeFailed: (done, all) => `Die Schlagwörter von ${done} von ${all} Aufträgen wurden geändert, dann kam ein Fehler`,
  remove: 'Löschen',
  removeTitle: (count) => `Ausgewählte Aufträge löschen: ${count}?`,
  removeText: 'Prompts, Eingaben und Dateien werden endgültig gelöscht. Die Kosten bleiben im Kontobuch.',
  removeUnfinished: (count) =>
    count === 1
      ? '1 ausgewählter Auftrag läuft noch. Er wird nicht gelöscht.'
      : `${count.toLocaleString('de')} ausgewählte Aufträge laufen noch. Sie werden nicht gelöscht.`,
  removing: (done, all) => `${done} von ${all} gelöscht`,
  removeFailed: (done, all) => `${done} von ${all} Aufträgen wurden gelöscht, dann kam ein Fehler`,
  removeConfirm: 'Endgültig löschen',
  keep: 'Behalten',
  close: 'Schließen',
};
