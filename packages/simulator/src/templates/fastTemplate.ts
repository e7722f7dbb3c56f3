/**
 * Renders the old templates of an ApplicationSet without `goTemplate`: `{{name}}` is replaced where
 * there is such a parameter and left as it is where there is none.
 */
export function renderFastTemplate(
  template: string,
  parameters: Record<string, unknown>,
): string {
  return template.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
    const value = parameters[name.trim()];
    return typeof value === 'string' ? value : whole;
  });
}

/** Parameters as old templates see them: nested keys joined by dots, text only. */
export function flattenParameters(
  parameters: Record<string, unknown>,
  prefix = '',
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters)) {
    if (value && typeof value === 'object' && !Array.isArray(value)) {
      Object.assign(
        flat,
        flattenParameters(value as Record<string, unknown>, `${prefix}${key}.`),
      );
    } else if (value !== undefined && !Array.isArray(value)) {
      flat[`${prefix}${key}`] = String(value);
    }
  }
  return flat;
}
