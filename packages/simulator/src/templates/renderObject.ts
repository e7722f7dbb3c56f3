import { flattenParameters, renderFastTemplate } from './fastTemplate';
import { renderGoTemplate } from './goTemplate';

/** How an ApplicationSet renders its strings. */
export interface TemplateDialect {
  goTemplate: boolean;
  goTemplateOptions?: string[];
}

/** Renders one string. */
export function renderString(
  template: string,
  parameters: Record<string, unknown>,
  dialect: TemplateDialect,
): string {
  return dialect.goTemplate
    ? renderGoTemplate(template, parameters, dialect)
    : renderFastTemplate(template, flattenParameters(parameters));
}

/** Renders every string of an object, keys too. */
export function renderObject<T>(
  value: T,
  parameters: Record<string, unknown>,
  dialect: TemplateDialect,
): T {
  const render = (current: unknown): unknown => {
    if (typeof current === 'string') {
      return renderString(current, parameters, dialect);
    }
    if (Array.isArray(current)) {
      return current.map(render);
    }
    if (current && typeof current === 'object') {
      return Object.fromEntries(
        Object.entries(current).map(([key, entry]) => [
          render(key) as string,
          render(entry),
        ]),
      );
    }
    return current;
  };
  return render(value) as T;
}
