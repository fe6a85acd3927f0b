import { type IssuedKeyView, type KeyView, world } from '@darkroom-service/contract';
import {
  type OutputOptions,
  parseDuration,
  type RepeatableOptions,
  show,
  table,
  usageFault,
  withLocalData,
  writeOnce,
} from '@darkroom-service/darkroom/kernel-cli';
import { limitList, type SettingOptions, settingsOf } from './key-settings.ts';

interface CreateOptions extends OutputOptions, SettingOptions, RepeatableOptions {
  readonly mode: 'test' | 'live' | 'admin';
  readonly account: string;
}

export async function create(options: CreateOptions): Promise<void> {
  const { account: accountId, mode } = options;
  const { answer: issued } = await writeOnce<IssuedKeyView>('make', options, {
    asked: { command: 'keys create', accountId, mode, ...askedOf(options) },
    make: ({ keys }, by) => keys.issue(by, { accountId, mode, ...settingsOf(options, by.now) }),
    again: ({ keys }, keyId) => keys.issued(keyId),
  });
  showIssued(options, issued);
}

export async function list(options: OutputOptions & { account?: string }): Promise<void> {
  const items = await withLocalData('refuse', ({ keys }) => keys.list({ accountId: options.account }));
  show(options, { json: { items }, text: keyTable(items), plain: items.map((key) => key.key_id).join('\n') });
}

export async function change(
  keyId: string,
  options: OutputOptions & SettingOptions & RepeatableOptions,
): Promise<void> {
  if (Object.keys(settingsOf(options, 0)).length === 0)
    throw usageFault('Expected a setting to change, such as --spend-limit 50/month; found none');
  const { answer: changed } = await writeOnce<KeyView>('refuse', options, {
    asked: { command: 'keys change', keyId, ...askedOf(options) },
    make: ({ keys }, by) => keys.change(by, keyId, settingsOf(options, by.now)),
    again: ({ keys }) => keys.read(keyId),
  });
  const text = `${keyTable([changed])}\n\nThe change applies within five seconds.`;
  show(options, { json: changed, text });
}

export async function revoke(keyId: string, options: OutputOptions & RepeatableOptions): Promise<void> {
  const { answer: revoked } = await writeOnce('refuse', options, {
    asked: { command: 'keys revoke', keyId },
    make: ({ keys }, by) => keys.revoke(by, keyId),
    again: ({ keys }) => keys.revoked(keyId),
  });
  const tasks = revoked.unreachable_tasks;
  const lost = tasks === 1 ? 'Its task can no longer be retrieved' : `Its ${tasks} tasks can no longer be retrieved`;
  show(options, {
    json: revoked,
    text: `${keyId} stops working within five seconds. ${tasks === 0 ? 'It has no tasks' : lost}.`,
  });
}

export async function rotate(
  keyId: string,
  options: OutputOptions & RepeatableOptions & { grace: string },
): Promise<void> {
  const graceMs = parseDuration(options.grace, '--grace');
  const { answer: issued } = await writeOnce<IssuedKeyView>('refuse', options, {
    asked: { command: 'keys rotate', keyId, graceMs },
    make: ({ keys }, by) => keys.rotate(by, keyId, { graceMs }),
    again: ({ keys }) => keys.issued(keyId),
  });
  showIssued(options, issued);
}

/** Returns the settings as they were written: a time such as `30d` ends later at each run. */
function askedOf({ json: _json, plain: _plain, idempotencyKey: _key, ...asked }: OutputOptions & RepeatableOptions) {
  return asked;
}

function showIssued(options: OutputOptions, issued: IssuedKeyView): void {
  const lines = [`${issued.key_id}  ${issued.mode} key '${issued.name}' of account '${issued.account_id}'`, ''];
  if (issued.key === null) lines.push(issued.message ?? '');
  else lines.push(`  ${issued.key}`, '', 'Store it now: it is not shown again.');
  show(options, { json: issued, text: lines.join('\n'), plain: issued.key ?? '' });
}

function keyTable(items: readonly KeyView[]): string {
  if (items.length === 0) return 'There are no keys. Create one: darkroom keys create --mode test';
  return table(
    ['KEY', 'MODE', 'NAME', 'ACCOUNT', 'CREATED', 'STATE', 'SPEND LIMITS', 'MODELS'],
    items.map((key) => [
      key.key_id,
      key.mode,
      key.name,
      key.account_id,
      key.created_at.slice(0, 10),
      stateOf(key),
      limitList(key.spend_limits) || '-',
      key.models.join(',') || '*',
    ]),
  );
}

function stateOf(key: KeyView): string {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  return Date.parse(key.expires_at) <= world.now() ? 'expired' : `until ${key.expires_at.slice(0, 10)}`;
}
