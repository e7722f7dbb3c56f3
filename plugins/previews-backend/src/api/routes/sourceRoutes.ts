import { Router } from 'express';
import { sendVersioned } from '../sendVersioned';
import { RouteContext } from './RouteContext';

export function addSourceRoutes(router: Router, context: RouteContext): void {
  router.get('/v1/sources', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    context.validator.validate('getSources', request);
    const answer = await context.service.sources({ credentials });
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });
}
