import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { EngineError } from '../engine.ts';

type Form = (base64: string, type: string) => JsonValue;

/** How vendors take a picture inside a request, if not as a data URI. */
const FORMS: Readonly<Record<string, Form>> = {
  bfl: (base64) => base64,
  kling: (base64) => base64,
  veo: (bytesBase64Encoded, mimeType) => ({ bytesBase64Encoded, mimeType }),
  vertexai: (data, mimeType) => ({ data, mimeType }),
};
/** These vendors fetch no picture from an address of ours. */
const ONLY_INSIDE = ['openai', 'veo', 'vertexai'];
const PICTURE_FIELDS = ['image', 'mask', 'lastFrame', 'inlineData'];

/**
 * Rewrites the data URIs of a request in the form of the model's vendor.
 * @throws EngineError with `took: 'no'` if a picture is too large to be inside the request and the vendor fetches none
 */
export function writeMedia(model: string, input: JsonObject): JsonObject {
  const provider = model.split('/')[0] ?? '';
  const form = FORMS[provider];
  const isOnlyInside = ONLY_INSIDE.includes(provider);
  const rewrite = (value: JsonValue, name: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => rewrite(item, name));
    if (typeof value === 'object' && value !== null) return rewriteFields(value as JsonObject);
    if (typeof value !== 'string') return value;
    const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(value) ?? [];
    if (type !== undefined && base64 !== undefined) return form?.(base64, type) ?? value;
    if (isOnlyInside && PICTURE_FIELDS.includes(name) && /^https?:/.test(value)) {
      const message = `${name}: the picture is too large to be sent inside the request`;
      throw new EngineError('invalid_input', message, { took: 'no', elsewhere: true });
    }
    return value;
  };
  const rewriteFields = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, rewrite(value, name)]));
  return rewriteFields(input);
}
