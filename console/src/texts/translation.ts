/**
 * The shape that a translation has: the same texts with the same parameters, in other words. The compiler refuses a
 * missing and a surplus text. What is no text stays as it is: numbers, and the `value` of a choice.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...parameters: infer Parameters) => string
    ? (...parameters: Parameters) => string
    : T extends object
      ? { readonly [Key in keyof T]: Key extends 'value' ? T[Key] : Translation<T[Key]> }
      : T;
