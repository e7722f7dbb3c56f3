/**
 * The labels that a text of a generator asks for. Argo CD hands all of them to GitLab as
 * one text with commas; those within an action of a template are not between labels.
 */
export function askedLabels(text: string): string[] {
  return (text.match(/(?:\{\{[^{}]*\}\}|[^,])+/g) ?? [])
    .map(label => label.trim())
    .filter(label => label !== '');
}
