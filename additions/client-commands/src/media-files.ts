import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { readStandardInput, STANDARD, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import { optionName } from './model-fields.ts';

/** Form of a media field's value that is not a local file. */
const REFERENCE = /^(https?|data|upload|task|order):/i;

/**
 * Replaces the local files in the media fields of an order.
 * @param replace returns a reference, such as `upload:<file_id>`
 */
export async function replaceFiles(
  body: JsonObject,
  replace: (field: string, path: string) => Promise<string>,
): Promise<JsonObject> {
  const replaceIn = async (field: string, value: JsonValue): Promise<JsonValue> => {
    if (typeof value === 'string') return REFERENCE.test(value) ? value : await replace(field, value);
    if (!Array.isArray(value)) return value;
    const media: JsonValue[] = [];
    for (const item of value as readonly JsonValue[]) media.push(await replaceIn(field, item));
    return media;
  };
  const result: Record<string, JsonValue> = {};
  for (const [field, value] of Object.entries(body))
    result[field] = field === 'webhook_url' || !/_urls?$/.test(field) ? value : await replaceIn(field, value);
  return result;
}

/** Uploads the file that an option names. @param endUser owner of the file @returns reference of the upload */
export async function uploadFile(
  client: ApiClient,
  field: string,
  path: string,
  endUser: JsonValue | undefined,
): Promise<string> {
  const query = typeof endUser === 'string' ? `?${new URLSearchParams({ end_user: endUser })}` : '';
  const medium = await readMedium(optionName(field), path);
  const { file_id } = await client.upload<{ file_id: string }>(`/v1/files${query}`, medium);
  return `upload:${file_id}`;
}

async function readMedium(option: string, path: string): Promise<Blob> {
  if (path === STANDARD) return new Blob([new Uint8Array(await readStandardInput(`the file of --${option}`))]);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) return await openAsBlob(path);
  throw usageFault(
    `--${option}: expected a file, - for standard input, a URL, upload:<file_id> or task:<task_id>, found '${path}'`,
  );
}
