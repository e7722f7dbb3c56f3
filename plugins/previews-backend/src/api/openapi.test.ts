import { mockServices } from '@backstage/backend-test-utils';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { Router } from 'express';
import { openApiDocument } from './openapi';
import { PreviewsService } from './PreviewsService';
import { createRouter } from './router';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

function routesOf(router: Router): string[] {
  return (router.stack as unknown as Layer[])
    .flatMap(({ route }) =>
      route
        ? Object.keys(route.methods).map(
            method => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
          )
        : [],
    )
    .sort();
}

function operations() {
  return Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as {
        operationId: string;
        parameters?: { name: string; in: string }[];
        responses: Record<string, unknown>;
      },
    })),
  );
}

describe('the OpenAPI document', () => {
  it('has every route, and no route that is not there', () => {
    const router = createRouter({
      service: {} as PreviewsService,
      httpAuth: mockServices.httpAuth(),
      auth: mockServices.auth(),
    });
    expect(routesOf(router)).toEqual(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('names every operation once, with all parameters of its path', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        (operation.parameters ?? [])
          .filter(parameter => parameter.in === 'path')
          .map(({ name }) => name),
      ).toEqual(inPath);
    }
  });

  it('promises 401 for every route', () => {
    for (const { operation } of operations()) {
      expect(Object.keys(operation.responses)).toContain('401');
    }
  });

  it('has schemas that compile, and only references that lead somewhere', () => {
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    ajv.addSchema(openApiDocument, 'openapi');
    for (const name of Object.keys(openApiDocument.components.schemas)) {
      expect(() =>
        ajv.compile({ $ref: `openapi#/components/schemas/${name}` }),
      ).not.toThrow();
    }
    const references =
      JSON.stringify(openApiDocument).match(/"\$ref":"[^"]+"/g);
    for (const reference of references ?? []) {
      const [, name] = /schemas\/(\w+)"/.exec(reference) ?? [];
      expect(Object.keys(openApiDocument.components.schemas)).toContain(name);
    }
  });
});
