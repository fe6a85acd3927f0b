import type { OutgoingAlert, SendAlert } from './send-alert.ts';

/** The operator's mail server, and who gets the alerts. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. */
  readonly secure: boolean;
  /** Whether to send nothing unless the server changes to TLS. */
  readonly requireTls: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  readonly from: string;
  readonly to: readonly string[];
}

const STEP_TIMEOUT_MS = 5_000;
const TIMEOUT_MS = 20_000;
const SUBJECT_LENGTH = 150;

const SUBJECTS: Readonly<Record<OutgoingAlert['type'], string>> = {
  'alert.began': 'Alert',
  'alert.continues': 'Alert continues',
  'alert.ended': 'Alert ended',
  'alert.test': 'Test',
};

/** Sends alerts by e-mail. */
export function createMailAlerts(settings: MailSettings): SendAlert {
  return async (message) => {
    // Loaded with the first alert.
    const { createTransport } = await import('nodemailer');
    const { host, port, secure, requireTls: requireTLS, auth, from, to } = settings;
    const transport = createTransport({
      ...{ host, port, secure, requireTLS, disableFileAccess: true, disableUrlAccess: true },
      ...{ dnsTimeout: STEP_TIMEOUT_MS, connectionTimeout: STEP_TIMEOUT_MS },
      ...{ greetingTimeout: STEP_TIMEOUT_MS, socketTimeout: STEP_TIMEOUT_MS },
      ...(auth === null ? {} : { auth: { ...auth } }),
    });
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => deadline.reject(new Error('no answer in time')), TIMEOUT_MS);
    const stop = () => deadline.reject(new Error('the service stops'));
    message.signal?.addEventListener('abort', stop);
    try {
      await Promise.race([transport.sendMail({ from, to: [...to], ...mailOf(message, from) }), deadline.promise]);
      return null;
    } catch (error) {
      return `The mail server did not accept the message: ${(error as Error).message}`;
    } finally {
      clearTimeout(timer);
      message.signal?.removeEventListener('abort', stop);
      transport.close();
    }
  };
}

/** Repeated attempts have the same Message-ID. */
function mailOf({ id, type, data, now }: OutgoingAlert, from: string) {
  const subject = `[Darkroom] ${SUBJECTS[type]}: ${data.summary}`.replace(/\s+/g, ' ').slice(0, SUBJECT_LENGTH);
  const lines = [
    data.summary,
    ...(data.action === null ? [] : [data.action]),
    data.url,
    `Began: ${data.began_at}${data.ended_at === null ? '' : `. Ended: ${data.ended_at}`}`,
  ];
  const messageId = `<${id}@${from.split('@').at(-1) ?? 'darkroom'}>`;
  return { subject, messageId, date: new Date(now), text: `${lines.join('\n\n')}\n` };
}
