import { MAX_OUTPUT } from './functions';
import { TemplateError } from './lexer';

/**
 * Renders the older templates of ApplicationSets without `goTemplate`: a tag is
 * replaced by the parameter of that flat name, and left as it is when there is
 * none.
 *
 * @throws TemplateError when it becomes too long.
 */
export function renderFastTemplate(
  template: string,
  parameters: Record<string, string>,
): string {
  let length = template.length;
  return template.replace(/\{\{([^{}]*)\}\}/g, (tag, name: string) => {
    const key = name.trim();
    const value = Object.hasOwn(parameters, key) ? parameters[key] : tag;
    length += value.length - tag.length;
    if (length > MAX_OUTPUT) {
      throw new TemplateError('the output is too long');
    }
    return value;
  });
}

/** Nested parameters as the flat names that the older templates use, such as `values.team`. */
export function flattenParameters(
  parameters: Record<string, unknown>,
  prefix = '',
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters)) {
    const name = prefix ? `${prefix}.${key}` : key;
    if (value && typeof value === 'object' && !Array.isArray(value)) {
      Object.assign(
        flat,
        flattenParameters(value as Record<string, unknown>, name),
      );
    } else if (value !== undefined && value !== null && !Array.isArray(value)) {
      flat[name] = String(value);
    }
  }
  return flat;
}
