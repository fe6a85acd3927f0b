import type { JsonValue } from '@darkroom-service/contract';
import {
  ACTIONS,
  isVendorAddress,
  type Model,
  type ResolvedRequest,
  type Schema,
} from '@darkroom-service/contract/catalog';
import type { Kernel, StoredOutput, TaskRecord } from '../../kernel.ts';
import type { JudgedMedium, JudgedText, ModerationQuestion } from './ask-moderation.ts';

/** Formats that leave no room for free text. */
const NOT_TEXT = ['size', 'aspect_ratio'];

/** Builds the question before a submission: every text and every medium of the order. */
export function questionBefore(
  task: Pick<TaskRecord, 'id' | 'model_id' | 'end_user' | 'end_user_sent' | 'request' | 'media'>,
  model: Model | null,
  signer: Kernel['files']['signer'],
): ModerationQuestion {
  const { request } = task;
  const found = findTexts(model, request);
  const { prompt } = request.values;
  const stored = task.media.flatMap(({ field, index, stored: file }) => {
    if (file === null) return [];
    const name = schemaOf(model, request, field)?.type === 'array' ? `${field}[${index}]` : field;
    return [{ field: name, url: signer.sign(file.key).url, content_type: file.contentType }];
  });
  return {
    stage: 'input',
    task_id: task.id,
    model_id: task.model_id,
    end_user: task.end_user_sent ?? task.end_user,
    prompt: typeof prompt === 'string' ? prompt : null,
    urls: stored.map(({ url }) => url),
    texts: found.texts,
    media: [...stored, ...found.addresses],
  };
}

/** Builds the question before success: every output, and the prompt as the upstream rewrote it. */
export function questionAfter(
  task: Pick<TaskRecord, 'id' | 'model_id' | 'end_user' | 'end_user_sent'>,
  outputs: readonly StoredOutput[],
  signer: Kernel['files']['signer'],
): ModerationQuestion {
  const media = outputs.map(({ key, contentType }, index) => ({
    field: `outputs[${index}]`,
    url: signer.sign(key).url,
    content_type: contentType,
  }));
  return {
    stage: 'output',
    task_id: task.id,
    model_id: task.model_id,
    end_user: task.end_user_sent ?? task.end_user,
    prompt: null,
    urls: media.map(({ url }) => url),
    texts: outputs.flatMap(({ revisedPrompt }, index) =>
      revisedPrompt === null ? [] : [{ field: `outputs[${index}].revised_prompt`, text: revisedPrompt }],
    ),
    media,
  };
}

/** Collects every free text of the caller, and the URLs that the vendor itself reads. */
function findTexts(
  model: Model | null,
  request: ResolvedRequest,
): { readonly texts: JudgedText[]; readonly addresses: JudgedMedium[] } {
  const texts: JudgedText[] = [];
  const addresses: JudgedMedium[] = [];
  const visit = (field: string, value: JsonValue, schema: Schema | undefined): void => {
    if (typeof value === 'string') {
      if (value === '' || value === schema?.default || schema?.enum !== undefined || schema?.format === 'uri') return;
      if (schema !== undefined && isVendorAddress(schema)) addresses.push({ field, url: value, content_type: null });
      else texts.push({ field, text: value });
    } else if (Array.isArray(value)) {
      value.forEach((item: JsonValue, index) => {
        visit(`${field}[${index}]`, item, schema?.prefixItems?.[index] ?? schema?.items);
      });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(`${field}.${name}`, item, schema?.properties?.[name]);
    }
  };
  for (const [field, value] of Object.entries(request.values)) {
    if (!NOT_TEXT.includes(field)) visit(field, value, schemaOf(model, request, field));
  }
  return { texts, addresses };
}

function schemaOf(model: Model | null, { action }: ResolvedRequest, field: string): Schema | undefined {
  const ofAction = Object.entries(ACTIONS).find(([name]) => name === action)?.[1].parameters[field];
  return (ofAction ?? model?.parameters[field]) as Schema | undefined;
}
