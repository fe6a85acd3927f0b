/** Models of an upstream by their names in routes, each with the time of its end, ISO 8601; null = not stated. */
export type ListedModels = ReadonlyMap<string, string | null>;
