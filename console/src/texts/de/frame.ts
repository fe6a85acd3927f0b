import type { frameTexts as english } from '../frame.ts';
import type { Translation } from '../translation.ts';

/** German texts of the frame: navigation, signing in, and texts common to all pages. */
export const frameTexts: Translation<typeof english> = {
  product: 'Darkroom',
  skip: 'Zum Inhalt springen',
  navigation: 'Seiten',
  pages: {
    studio: 'Studio',
    light: 'Leuchttisch',
    history: 'Verlauf',
    batches: 'Stapel',
    usage: 'Nutzung',
    keys: 'Schlüssel',
    operations: 'Betrieb',
    local: 'Lokale Modelle',
  },
  reference: 'Referenz',
  referenceHint: 'Alle Endpunkte, Felder und Antworten der API (englisch)',
  mode: {
    label: 'Schlüssel für Aufträge',
    test: 'Test',
    live: 'Live',
    testHint: 'Jedes Modell mit der eingebauten Engine, kostenlos',
    liveHint: 'Die echten Engines der Modelle, vom Konto bezahlt',
    missing: (mode) => `Für Aufträge einen ${mode === 'test' ? 'Test' : 'Live'}-Schlüssel hinzufügen`,
  },
  balance: { label: 'Guthaben', playMoney: 'Spielgeld' },
  session: {
    open: 'Schlüssel in diesem Browser',
    keyOf: { test: 'Test-Schlüssel', live: 'Live-Schlüssel', admin: 'Admin-Schlüssel' },
    forget: (kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}-Schlüssel vergessen`,
    add: 'Schlüssel hinzufügen',
    signOut: 'Abmelden',
    kept: 'In diesem Browser bis zum Abmelden',
    keptForTab: 'Nur in diesem Tab',
  },
  scheme: { label: 'Hell oder dunkel', light: 'Hell', dark: 'Dunkel', auto: 'Wie das System' },
  languages: { label: 'Sprache', auto: 'Wie der Browser' },
  signIn: {
    title: 'Bilder und Videos aus Text erstellen.',
    lead: 'Eine Schnittstelle für alle Engines. Anmelden mit einem Schlüssel dieses Dienstes.',
    label: 'API-Schlüssel',
    placeholder: 'dk_test_…',
    submit: 'Anmelden',
    remember: 'Auf diesem Gerät angemeldet bleiben',
    where: 'Wo ist mein Schlüssel?',
    whereText:
      'Der erste Start gibt je einen Schlüssel aus oder schreibt sie in first-keys.txt im Datenverzeichnis. Einen weiteren erstellt',
    command: 'npm run -s darkroom -- keys create --mode test',
    kinds: [
      ['dk_test_', 'probiert jedes Modell kostenlos'],
      ['dk_live_', 'bestellt bei den echten Engines'],
      ['dk_admin_', 'verwaltet Konten, Schlüssel und Engines'],
    ],
    malformed:
      'Das ist kein Schlüssel von Darkroom. Schlüssel beginnen mit dk_test_, dk_live_ oder dk_admin_. Bitte die ganze Zeile kopieren.',
    byLink: 'Anmeldung mit dem Link …',
    linkFailed: 'Dieser Anmeldelink gilt nicht mehr',
    welcome: 'Angemeldet. Jetzt ein Bild beschreiben und „Erstellen“ drücken.',
  },
  needsOrderingKey: {
    title: 'Test- oder Live-Schlüssel hinzufügen',
    text: 'Bilder, Videos und ihre Kosten gehören zum Schlüssel, der sie bestellt hat. Ein Admin-Schlüssel kann nichts bestellen.',
    action: 'Schlüssel hinzufügen',
  },
  needsAdminKey: {
    title: 'Diese Seite braucht einen Admin-Schlüssel',
    text: 'Schlüssel, Konten und Engines werden mit einem Schlüssel verwaltet, der mit dk_admin_ beginnt. Einen solchen erstellt',
    command: 'npm run -s darkroom -- keys create --mode admin',
    action: 'Admin-Schlüssel hinzufügen',
  },
  unreachable: 'Der Dienst antwortet nicht. Die Konsole versucht es weiter; kein Auftrag geht verloren.',
  unreadable: (status) =>
    `Der Dienst hat mit ${status} ohne Fehlermeldung geantwortet. Bitte gleich noch einmal versuchen.`,
  backAgain: 'Der Dienst antwortet wieder.',
  failed: 'Das konnte nicht geladen werden',
  tryAgain: 'Noch einmal versuchen',
  ago: { now: 'gerade eben', minutes: (count) => `vor ${count} min`, hours: (count) => `vor ${count} h` },
  large: 'Vergrößern',
  close: 'Schließen',
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  loading: 'Wird geladen',
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Die Adresse ist vielleicht unvollständig.',
    action: 'Zum Studio',
  },
  partMissing: {
    title: 'Diese Seite ist noch nicht geladen',
    text: 'Die Seite kommt vom Dienst, und der antwortet nicht. Die Konsole versucht es weiter und öffnet die Seite, sobald sie geladen ist. Eingaben bleiben erhalten.',
    again:
      'Der Dienst antwortet, aber diese Seite ließ sich nicht laden. Vielleicht wird er gerade aktualisiert: bitte gleich noch einmal versuchen.',
    action: 'Jetzt versuchen',
  },
  crashed: {
    title: 'Diese Seite ist abgestürzt',
    text: 'Kein Auftrag ist verloren. Bitte die Seite neu laden. Stürzt sie wieder ab, diese Meldung an den Betreiber senden.',
    action: 'Neu laden',
  },
};
