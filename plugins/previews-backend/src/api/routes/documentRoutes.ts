import { Router } from 'express';
import { openApiDocument } from '../openapi';
import { RouteContext } from './RouteContext';

export function addDocumentRoutes(router: Router, context: RouteContext): void {
  router.get('/openapi.json', async (request, response) => {
    await context.credentialsOf(request);
    response.json(openApiDocument);
  });
}
