import { AuthService, HttpAuthService } from '@backstage/backend-plugin-api';
import { NotFoundError } from '@backstage/errors';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { PreviewsService } from './PreviewsService';
import { addDocumentRoutes } from './routes/documentRoutes';
import { addEntityRoutes } from './routes/entityRoutes';
import { addFindingRoutes } from './routes/findingRoutes';
import { addPreviewRoutes } from './routes/previewRoutes';
import { createRouteContext } from './routes/RouteContext';
import { addSourceRoutes } from './routes/sourceRoutes';
import { addStatsRoutes } from './routes/statsRoutes';

/**
 * The routes of the API, to be mounted at `/api/previews`. Errors go to
 * Backstage's own handler.
 */
export function createRouter(options: {
  service: PreviewsService;
  httpAuth: HttpAuthService;
  auth: AuthService;
}): Router {
  const router = PromiseRouter() as Router;
  const context = createRouteContext(options);
  addDocumentRoutes(router, context);
  addPreviewRoutes(router, context);
  addEntityRoutes(router, context);
  addFindingRoutes(router, context);
  addStatsRoutes(router, context);
  addSourceRoutes(router, context);
  // Only below /v1: Backstage mounts routes of its own next to ours.
  router.use('/v1', async request => {
    await context.credentialsOf(request);
    throw new NotFoundError(`There is no ${request.method} ${request.path}`);
  });
  return router;
}
