import type { requestTexts as english } from '../requests.ts';
import type { Translation } from '../translation.ts';

/** German texts of the list of requests on the operators' page. */
export const requestTexts: Translation<typeof english> = {
  hint: 'Was Schlüssel zuletzt gesendet haben und wie es beantwortet wurde, ohne Inhalte. Gelungene Abfragen stehen normalerweise nicht hier.',
  key: 'Schlüssel',
  anyKey: 'Alle Schlüssel',
  status: 'Status',
  statuses: {
    all: 'Jeder Status',
    failed: 'Alle Fehler',
    '4xx': 'Abgelehnt (4xx)',
    '5xx': 'Dienst gescheitert (5xx)',
    '2xx': 'Gelungen (2xx)',
  },
  refresh: 'Neu laden',
  empty: 'Keine solche Anfrage',
  emptyText: 'Eine Anfrage steht etwa eine Sekunde nach ihrer Antwort hier und bleibt 7 Tage.',
  heads: {
    when: 'Wann',
    request: 'Anfrage',
    status: 'Status',
    took: 'Dauer',
    key: 'Schlüssel',
    id: 'Anfragekennung',
  },
  left: 'Aufrufer ging',
};
