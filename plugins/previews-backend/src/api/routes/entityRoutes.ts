import { stringifyEntityRef } from '@backstage/catalog-model';
import { Router } from 'express';
import { sendVersioned } from '../sendVersioned';
import { RouteContext } from './RouteContext';

export function addEntityRoutes(router: Router, context: RouteContext): void {
  const { service, validator } = context;

  router.get(
    '/v1/entities/:kind/:namespace/:name/summary',
    async (request, response) => {
      const credentials = await context.credentialsOf(request);
      validator.validate('getEntitySummary', request);
      const { kind, namespace, name } = request.params;
      const answer = await service.summary(
        stringifyEntityRef({ kind, namespace, name }),
        { credentials },
      );
      const caller = context.callerOf(credentials);
      sendVersioned(request, response, { answer, caller });
    },
  );
}
