/* What the illustrator understands of a prompt, with every figure and word that it knows. */
export { FIGURES } from './figures/figures.ts';
export { readPrompt } from './prompt/read-prompt.ts';
export { LANGUAGES } from './prompt/vocabulary.ts';
