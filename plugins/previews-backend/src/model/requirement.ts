/** One requirement of the `selector` of a generator, on the parameters that it gives. */
export interface Requirement {
  /** Name of a parameter, dots leading into nested ones, such as `values.team`. */
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** Of `In` and `NotIn`. */
  values: readonly string[];
}

/**
 * Whether parameters meet a requirement, as a label selector does: what is not there is
 * not in a list. A template, which Argo CD renders with an MR's parameters, may be any of them.
 */
export function meets(
  parameters: Record<string, unknown>,
  { key, operator, values }: Requirement,
): boolean {
  const value = parameterAt(parameters, key);
  const isTemplate = value?.includes('{{') === true;
  switch (operator) {
    case 'In':
      return isTemplate || (value !== undefined && values.includes(value));
    case 'NotIn':
      return isTemplate || value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}

function parameterAt(
  parameters: Record<string, unknown>,
  key: string,
): string | undefined {
  let value: unknown = parameters;
  if (Object.hasOwn(parameters, key)) {
    value = parameters[key];
  } else {
    for (const part of key.split('.')) {
      value =
        typeof value === 'object' &&
        value !== null &&
        Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined;
    }
  }
  return value === undefined || value === null || typeof value === 'object'
    ? undefined
    : String(value);
}
