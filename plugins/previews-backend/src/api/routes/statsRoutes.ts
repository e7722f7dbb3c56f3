import { StatsRequest } from '@previews/backstage-plugin-previews-common';
import { Router } from 'express';
import { sendVersioned } from '../sendVersioned';
import { RouteContext } from './RouteContext';

export function addStatsRoutes(router: Router, context: RouteContext): void {
  router.get('/v1/stats', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    const { query } = context.validator.validate('getStats', request);
    const answer = await context.service.stats(query as StatsRequest, {
      credentials,
    });
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });
}
