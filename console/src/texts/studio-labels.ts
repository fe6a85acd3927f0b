import { inWords } from './in-words.ts';
import { studioTexts } from './studio.ts';

/** Returns the label of a parameter: the console's own, or derived from its name. */
export function fieldLabel(name: string): string {
  return studioTexts.fields[name] ?? inWords(name.replace(/_urls?$/, ''));
}

/** Returns the label for use within a sentence. */
export function fieldLabelInSentence(name: string): string {
  return fieldLabel(name).toLowerCase();
}

/** Replaces a parameter at the beginning of a message by its label: `image_urls[0]: …` -> `Reference images 1: …`. */
export function withFieldLabel(message: string): string {
  return message.replace(/^([a-z][a-z_]*)(?:\[(\d+)\])?:/, (_, name: string, index: string | undefined) =>
    index === undefined ? `${fieldLabel(name)}:` : `${fieldLabel(name)} ${Number(index) + 1}:`,
  );
}

export function featureLabel(feature: string): string {
  return studioTexts.features[feature] ?? feature.replaceAll('_', ' ');
}

export function actionLabel(action: string): string {
  return studioTexts.actions[action] ?? inWords(action);
}
