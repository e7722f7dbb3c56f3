import { ResponseError } from '@backstage/errors';

/** The error that the client rejects with when the backend answers a status. */
export async function createResponseError(status: number): Promise<Error> {
  const names: Record<number, string> = {
    403: 'NotAllowedError',
    404: 'NotFoundError',
    429: 'TooManyRequestsError',
  };
  const body = {
    error: { name: names[status] ?? 'Error', message: 'Refused by a test' },
    request: { method: 'GET', url: '/v1/previews' },
    response: { statusCode: status },
  };
  return ResponseError.fromResponse(
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    }),
  );
}
