/* The interpretation of prompts, with every figure and word that the illustrator knows. */
export { FIGURES } from './figures/figures.ts';
export { readPrompt } from './prompt/read-prompt.ts';
export { LANGUAGES } from './prompt/vocabulary.ts';
