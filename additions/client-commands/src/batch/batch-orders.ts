import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { decodeText, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { CommandFault, readStandardInput, STANDARD, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import { replaceFiles, uploadFile } from '../media-files.ts';

/** A file of orders, one per line. */
interface GivenOrders {
  readonly text: string;
  /** SHA-256 in hex. */
  readonly digest: string;
}

/**
 * Reads the orders of a batch from a JSON Lines file.
 * @param file a path, or `-` for standard input.
 * @throws CommandFault
 */
export async function readOrders(file: string): Promise<GivenOrders> {
  const bytes =
    file === STANDARD
      ? await readStandardInput('the orders, one per line')
      : await readFile(file).catch((error: NodeJS.ErrnoException) => {
          throw usageFault(`Cannot read the orders in ${file} (${error.code}). Name a file with one order per line.`);
        });
  return {
    text: decodeText(bytes, file === STANDARD ? 'the orders' : file),
    digest: createHash('sha256').update(bytes).digest('hex'),
  };
}

/**
 * Uploads the local files that media fields name, each once for each end user.
 * @returns the orders with references in place of the files; a line that is no order stays, so that the service refuses
 * it
 * @throws CommandFault
 */
export async function uploadMedia(client: ApiClient, text: string): Promise<string> {
  const uploads = new Map<string, Promise<string>>();
  const upload = (place: string, endUser: JsonValue | undefined) => async (field: string, path: string) => {
    const name = JSON.stringify([path, endUser]);
    if (!uploads.has(name)) {
      const found = await stat(path).catch(() => null);
      if (found?.isFile() !== true)
        throw new CommandFault(
          `${place}: ${field}: expected a file, a URL, upload:<file_id>, task:<task_id> or order:<name>, found '${path}'.`,
        );
      uploads.set(name, uploadFile(client, field, path, endUser));
    }
    return await uploads.get(name)!;
  };
  const lines: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const entry = MEDIA_FIELD.test(line) ? parse(line) : null;
    const endUser = isObject(entry?.body) ? entry.body.end_user : undefined;
    lines.push(entry === null ? line : JSON.stringify(await replaceIn(entry, upload(`line ${index + 1}`, endUser))));
  }
  return lines.join('\n');
}

const MEDIA_FIELD = /_urls?"/;

async function replaceIn(
  entry: JsonObject,
  upload: (field: string, path: string) => Promise<string>,
): Promise<JsonObject> {
  const { body, vary, ...rest } = entry;
  return {
    ...rest,
    ...(body === undefined ? {} : { body: isObject(body) ? await replaceFiles(body, upload) : body }),
    ...(vary === undefined ? {} : { vary: isObject(vary) ? await replaceFiles(vary, upload) : vary }),
  };
}

function parse(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
