import { parseAllDocuments } from 'yaml';
import type { KubernetesObjectInput } from './object';

/**
 * Reads the objects of a YAML file with one or more documents, such as one
 * with the roles that a client is meant to have.
 *
 * @throws Error when a document is malformed or is no object of Kubernetes
 * @public
 */
export function parseManifests(text: string): KubernetesObjectInput[] {
  return parseAllDocuments(text)
    .map(document => {
      if (document.errors.length > 0) {
        throw new Error(`Malformed YAML: ${document.errors[0].message}`, {
          cause: document.errors[0],
        });
      }
      return document.toJS();
    })
    .filter(content => content !== null)
    .map(content => {
      if (!content.apiVersion || !content.kind || !content.metadata) {
        throw new Error(
          'A document has no apiVersion, kind or metadata, so it is no object of Kubernetes',
        );
      }
      return content;
    });
}
