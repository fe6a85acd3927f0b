import { inWords } from './in-words.ts';

interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
}
type Table = Readonly<Record<string, FieldWords>>;

/** Words for the fields of requests, whatever the form. */
const ANYWHERE: Table = {
  access_key_id: { label: 'Access key id' },
  account_view: { label: 'Can see the usage and ledger of the whole account' },
  approve_over: {
    label: 'Ask a person above',
    hint: 'For orders of agents through MCP. Empty: as the service is set',
  },
  concurrency: { label: 'At once' },
  default: { label: 'Live orders without deliver_to go there' },
  end_user_limits: { label: 'Limits of each end user without its own' },
  endpoint: { label: 'Server, if not Amazon S3', placeholder: 'https://' },
  expires_at: { label: 'Expires', hint: 'Your local time. Empty: never' },
  limits: { label: 'Spend limits', hint: 'Whose days and months these limits count. Empty: UTC' },
  message: { label: 'For your customers', hint: 'They read it on their orders' },
  models: { label: 'Models', hint: 'Patterns with commas, such as flux-*, sketch. Empty: every model' },
  name: { label: 'Name', placeholder: 'shop backend' },
  path: { label: 'Names of the objects', placeholder: '{date}/{task_id}-{n}.{ext}' },
  queue: { label: 'In the queue' },
  read_rpm: { label: 'Reads/min' },
  reason: {
    label: 'Reason',
    hint: 'Shown in this list and in the audit log',
    placeholder: 'Upstream is down until 14:00',
  },
  region: { label: 'Region', placeholder: 'eu-central-1' },
  rpm: { label: 'Orders/min' },
  secret: {
    label: 'Key',
    hint: 'As the console of the upstream shows it. It is stored sealed and not shown again.',
  },
  spend_limits: { label: 'Spend limits' },
  timezone: {
    label: 'Time zone',
    hint: 'Whose days and months these limits count. Empty: UTC',
    placeholder: 'Europe/Berlin',
  },
};

/** Words of single forms, where they differ. */
const OF_FORMS: Readonly<Record<string, Table>> = {
  'PUT /v1/destinations/{name}': { name: { label: 'Name', placeholder: 'archive' } },
};

/**
 * Returns the words for a field of a request: those of its form, those for its name, or its name in words.
 * @param form operation of the form; empty = none
 */
export function fieldWords(form: string, name: string): FieldWords {
  return OF_FORMS[form]?.[name] ?? ANYWHERE[name] ?? { label: inWords(name) };
}
