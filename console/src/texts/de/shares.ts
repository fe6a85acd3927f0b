import type { shareTexts as english } from '../shares.ts';
import type { Translation } from '../translation.ts';

/** German texts of share links. */
export const shareTexts: Translation<typeof english> = {
  share: 'Teilen',
  shareList: 'Diese Ergebnisse teilen',
  titles: { image: 'Dieses Bild teilen', video: 'Dieses Video teilen' },
  close: 'Schließen',
  lead: 'Wer den Link hat, kann das Ergebnis ohne Schlüssel sehen und herunterladen. Die Datei wird unverändert geteilt, auch mit Angaben, die ihre Engine hineingeschrieben hat.',
  leadList: (count) =>
    `Wer den Link hat, kann diese ${count} Ergebnisse ohne Schlüssel sehen und herunterladen. Spätere Aufträge kommen nicht hinzu. Die Dateien werden unverändert geteilt, auch mit Angaben, die ihre Engines hineingeschrieben haben.`,
  most: (count) => `Ein Link zeigt höchstens ${count} Ergebnisse. Geteilt werden die neuesten.`,
  reading: 'Ergebnisse werden gesucht …',
  readFailed: 'Die Ergebnisse konnten nicht gelesen werden',
  nothing: 'Keiner dieser Aufträge hat ein Ergebnis, das geteilt werden kann.',
  lasts: 'Gilt für',
  spans: [
    { value: '3600', label: 'Eine Stunde' },
    { value: '86400', label: 'Einen Tag' },
    { value: '604800', label: '7 Tage' },
    { value: '2592000', label: '30 Tage' },
  ],
  untilFiles: (time) => `Nicht länger, als die Dateien bleiben: bis ${time}.`,
  showPrompt: 'Auch den Prompt zeigen',
  make: 'Link erstellen',
  made: 'Der Link ist fertig und kann unten kopiert werden.',
  failed: 'Der Link konnte nicht erstellt werden',
  list: 'Links zu diesem Ergebnis',
  none: 'Es gibt keine Links zu diesem Ergebnis.',
  lists: 'Links zu mehreren Ergebnissen',
  noLists: 'Es gibt keine Links zu mehreren Ergebnissen.',
  results: (count) => `${count} Ergebnisse`,
  link: (until) => `Link, bis ${until}`,
  until: (time) => `Bis ${time}`,
  withPrompt: 'mit Prompt',
  withoutPrompt: 'ohne Prompt',
  copy: 'Link kopieren',
  revoke: 'Widerrufen',
  revokeLabel: (until) => `Link widerrufen, der bis ${until} gilt`,
  revoked: 'Der Link gilt nicht mehr.',
  revokeFailed: 'Der Link konnte nicht widerrufen werden',
  listFailed: 'Die Links konnten nicht gelesen werden',
};
