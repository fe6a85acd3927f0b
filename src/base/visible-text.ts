/**
 * Text from others may contain control characters, which a terminal acts on: they set its title, erase lines, or paste.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
const IN_TEXT = /[\0-\x08\x0B-\x1F\x7F-\x9F]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
const IN_LINE = /[\0-\x1F\x7F-\x9F]/g;
const IN_JSON = /[\x7F-\x9F]/g;

/** Shows control characters except tabs and line feeds as `\x1b`. */
export function visibleText(text: string): string {
  return text.replace(IN_TEXT, (sign) => `\\x${hexOf(sign)}`);
}

/** Shows all control characters as `\x1b`, for a part of a line. */
export function visibleLine(text: string): string {
  return text.replace(IN_LINE, (sign) => `\\x${hexOf(sign)}`);
}

/** Writes the control characters that JSON may leave as they are as `\u009b`, which means the same. */
export function visibleJson(json: string): string {
  return json.replace(IN_JSON, (sign) => `\\u00${hexOf(sign)}`);
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).padStart(2, '0');
}
