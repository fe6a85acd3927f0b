import type { Translation } from '../translation.ts';
import type { trendsTexts as english } from '../trends.ts';

/** German texts of the plots on the operators' page. */
export const trendsTexts: Translation<typeof english> = {
  span: 'Zeitraum',
  spans: { hour: 'Stunde', day: 'Tag', month: '30 Tage' },
  hint: {
    hour: 'Live-Aufträge der letzten Stunde, in Schritten von 5 Minuten.',
    day: 'Live-Aufträge der letzten 24 Stunden, nach Stunden.',
    month: 'Live-Aufträge der letzten 30 Tage, nach Tagen in UTC.',
  },
  since: (when) => `Vollständig seit ${when}: frühere Aufträge sind nicht oder noch nicht gezählt.`,
  empty: 'Keine Live-Aufträge in dieser Zeit',
  emptyText: 'Diese Seite zeigt, wie schnell und zuverlässig jede Engine arbeitet und was sie einbringt.',
  outcome: (succeeded, failed, refused) =>
    `${succeeded} gelungen, ${failed} fehlgeschlagen, ${refused} wegen Inhalt oder Eingabe abgelehnt`,
  plots: {
    success: 'Erfolgsquote',
    seconds: 'Zeit bis zum Ergebnis',
    underWay: 'Laufende Aufträge',
    events: 'Ratenlimits und Ausfälle',
    money: 'Erlös, Kosten und Marge',
  },
  series: {
    success: 'Erfolg',
    p50: 'Median',
    p95: '95 % binnen',
    underWay: 'Höchstens',
    rateLimits: 'Ratenlimits',
    outages: 'Ausfälle',
    revenue: 'Erlös',
    cost: 'Kosten',
    margin: 'Marge',
  },
  latest: (value) => `${value} (zuletzt)`,
  none: '–',
  table: 'Zahlen zeigen',
  tableOf: (engine) => `Zahlen von ${engine}`,
  heads: {
    at: 'Ab',
    succeeded: 'Gelungen',
    failed: 'Fehlgeschlagen',
    refused: 'Abgelehnt',
    success: 'Erfolg',
    p50: 'Median',
    p95: '95 % binnen',
    underWay: 'Laufend',
    rateLimits: 'Ratenlimits',
    outages: 'Ausfälle',
    revenue: 'Erlös',
    cost: 'Kosten',
    margin: 'Marge',
  },
};
