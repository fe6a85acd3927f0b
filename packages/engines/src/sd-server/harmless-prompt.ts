/** Text that the server reads as the end of a weighted part: `(fox:1.2)`. */
const WEIGHT = /:([+-]?[.\d]+)\)/g;
const USABLE = /^[+-]?(?:\d{1,3}(?:\.\d{0,6})?|\.\d{1,6})$/;

/**
 * Returns a prompt that cannot end the server: it aborts on a weight that is no number or that a float cannot hold
 * (stable-diffusion.cpp 97d2990, `parse_prompt_attention`). A space makes such a weight plain text.
 */
export function harmlessPrompt(prompt: string): string {
  return prompt.replaceAll(WEIGHT, (all, weight: string) => (USABLE.test(weight) ? all : `:${weight} )`));
}
