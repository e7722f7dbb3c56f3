import {
  AuthService,
  BackstageCredentials,
  HttpAuthService,
} from '@backstage/backend-plugin-api';
import { Request } from 'express';
import { callerName } from '../CatalogAccess';
import { PreviewsService } from '../PreviewsService';
import { RequestValidator } from '../RequestValidator';

/** What every group of routes works with. */
export interface RouteContext {
  service: PreviewsService;
  validator: RequestValidator;
  /** Users and services only; throws AuthenticationError for anyone else. */
  credentialsOf(request: Request): Promise<BackstageCredentials>;
  callerOf(credentials: BackstageCredentials): string;
}

export function createRouteContext(options: {
  service: PreviewsService;
  httpAuth: HttpAuthService;
  auth: AuthService;
}): RouteContext {
  return {
    service: options.service,
    validator: new RequestValidator(),
    credentialsOf: request =>
      options.httpAuth.credentials(request, { allow: ['user', 'service'] }),
    callerOf: credentials => callerName(options.auth, credentials),
  };
}
