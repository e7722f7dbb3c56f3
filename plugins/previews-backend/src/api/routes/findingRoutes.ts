import { ListFindingsRequest } from '@previews/backstage-plugin-previews-common';
import { Router } from 'express';
import { sendVersioned } from '../sendVersioned';
import { readEntityRef } from './readEntityRef';
import { RouteContext } from './RouteContext';

export function addFindingRoutes(router: Router, context: RouteContext): void {
  const { service, validator } = context;

  router.get('/v1/findings', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    const query = validator.validate('listFindings', request)
      .query as ListFindingsRequest;
    const answer = await service.findings(
      {
        ...query,
        ...(query.entityRef !== undefined && {
          entityRef: readEntityRef(query.entityRef),
        }),
      },
      { credentials },
    );
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });

  router.get('/v1/findings/:id', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    validator.validate('getFinding', request);
    const answer = await service.finding(request.params.id, { credentials });
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });
}
