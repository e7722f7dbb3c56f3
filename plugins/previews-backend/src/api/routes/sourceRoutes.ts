import { Router } from 'express';
import { sendVersioned } from '../sendVersioned';
import { RouteContext } from './RouteContext';

export function addSourceRoutes(router: Router, context: RouteContext): void {
  router.get('/v1/health', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    context.validator.validate('getHealth', request);
    const health = await context.service.health({ credentials });
    // A probe asks what is true now.
    response.set('Cache-Control', 'no-store');
    response.status(health.status === 'down' ? 503 : 200).json(health);
  });
  router.get('/v1/sources', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    context.validator.validate('getSources', request);
    const answer = await context.service.sources({ credentials });
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });
}
